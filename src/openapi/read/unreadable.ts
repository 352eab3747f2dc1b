// Why a description could not be read at all: the caller ends with exit code 2 and nothing is sent.

/** A file that is missing, unreadable, not YAML or JSON, or no OpenAPI document. `message` names file, line and cause. */
export class DescriptionUnreadable extends Error {
  readonly code = 'ASSAY_DESCRIPTION_UNREADABLE';
  /** As named by the user. */
  readonly file: string;
  /** 1-based; null when no line is to blame. */
  readonly line: number | null;
  /** What the user can do. */
  readonly hint: string;

  constructor(file: string, reason: string, hint: string, line: number | null = null, cause?: unknown) {
    super(`${file}${line === null ? '' : `:${line}`}: ${reason}`, { cause });
    this.name = 'DescriptionUnreadable';
    this.file = file;
    this.line = line;
    this.hint = hint;
  }
}
