// Why a description could not be read at all: the caller ends with exit code 2 and nothing is sent.
import { ToldError } from '../../contract/told-error.ts';

/** A file that is missing, unreadable, not YAML or JSON, or no OpenAPI document. `message` names file, line and cause. */
export class DescriptionUnreadable extends ToldError<'ASSAY_DESCRIPTION_UNREADABLE', string> {
  /** As named by the user. */
  readonly file: string;
  /** 1-based; null when no line is to blame. */
  readonly line: number | null;

  constructor(file: string, reason: string, hint: string, line: number | null = null, cause?: unknown) {
    super('ASSAY_DESCRIPTION_UNREADABLE', `${file}${line === null ? '' : `:${line}`}: ${reason}`, hint, cause);
    this.file = file;
    this.line = line;
  }
}
