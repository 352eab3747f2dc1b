// The parts that a first contract is put together from.

/** A line of the contract, and what speaks for it. */
export interface Line {
  /** As the file has it; empty for a comment alone. */
  readonly text: string;
  /** Evidence, or a question; empty: it speaks for itself. */
  readonly why: string;
}

export function line(text: string, why = ''): Line {
  return { text, why };
}

/** A comment alone. */
export function remark(why: string): Line {
  return { text: '', why };
}

/** A part of the contract: the presets that it stands on, and its own lines. */
export interface Part {
  readonly extends: readonly Line[];
  readonly lines: readonly Line[];
}

export const NOTHING: Part = { extends: [], lines: [] };
