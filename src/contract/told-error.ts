// The one base of all errors that end a command and are told to its user; those that are caught on the way stay plain.

/** Says what stands in the way: by code for programs, in words for people, and by a hint that can be typed. Never carries a token. */
export abstract class ToldError<
  Code extends string = string,
  Hint extends string | null = string | null,
> extends Error {
  readonly code: Code;
  /** null: the message says what to do, or nobody can do anything. */
  readonly hint: Hint;

  constructor(code: Code, message: string, hint: Hint, cause?: unknown) {
    super(message, { cause });
    this.name = new.target.name;
    this.code = code;
    this.hint = hint;
  }
}
