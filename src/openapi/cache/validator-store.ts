// The code of many judges in one piece: a line of JSON with names and lengths, then text and machine code of each in turn.
import type { JudgeCode } from './validator-code.ts';

/** A name, and the bytes of its text and of its machine code. */
type Entry = readonly [name: string, text: number, machine: number];

export class KeptJudges {
  private readonly bytes: Buffer;
  private readonly places = new Map<
    string,
    { readonly start: number; readonly text: number; readonly machine: number }
  >();

  /** Throws where the bytes are not what `written` makes. */
  constructor(bytes: Buffer) {
    this.bytes = bytes;
    const end = bytes.indexOf('\n');
    let start = end + 1;
    for (const [name, text, machine] of JSON.parse(bytes.toString('utf8', 0, end)) as Entry[]) {
      this.places.set(name, { start, text, machine });
      start += text + machine;
    }
  }

  get(name: string): JudgeCode | null {
    const place = this.places.get(name);
    if (place === undefined) return null;
    const middle = place.start + place.text;
    return {
      text: this.bytes.toString('utf8', place.start, middle),
      machine: this.bytes.subarray(middle, middle + place.machine),
    };
  }

  *[Symbol.iterator](): Generator<[string, JudgeCode]> {
    for (const name of this.places.keys()) yield [name, this.get(name) as JudgeCode];
  }
}

/** The bytes of these judges, in pieces: all of them are too large to be held twice. */
export function written(judges: ReadonlyMap<string, JudgeCode>): readonly Buffer[] {
  const parts = [...judges].map(([name, { text, machine }]) => ({ name, text: Buffer.from(text), machine }));
  const entries = parts.map(({ name, text, machine }): Entry => [name, text.length, machine.length]);
  return [Buffer.from(`${JSON.stringify(entries)}\n`), ...parts.flatMap(({ text, machine }) => [text, machine])];
}
