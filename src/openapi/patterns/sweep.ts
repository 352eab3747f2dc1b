// Looks for a program in a text with all threads side by side, in time linear in the text. A lookbehind is swept forwards
// and a lookahead backwards over the whole text first, the inner ones before the outer; then the expression asks their
// answers by place. Source: A. Barrière, C. Pit-Claudel, Linear Matching of JavaScript Regular Expressions (PLDI 2024).
import type { Instruction, Program } from './program.ts';
import { TooCostly } from './too-costly.ts';

/** Instructions looked at for one text: beyond it nobody waits for the answer. About a second. */
const MAX_STEPS = 200_000_000;
/** Characters whose classes are remembered. */
const MAX_KNOWN = 4_096;

/** A text by its characters: for each the classes that hold it. */
interface Letters {
  readonly length: number;
  /** Classes by number, for each character. */
  readonly sets: readonly Uint8Array[];
  readonly isWord: Uint8Array;
}

/** Answers of lookarounds, by instruction and by place: whether its inside matches there. */
type Answers = Map<number, Uint8Array>;

/** A place in a text, with what is known of the whole text. */
interface Here {
  readonly place: number;
  readonly letters: Letters;
  readonly answers: Answers;
}

type Read = Instruction & { readonly op: 'read' };

const WORD = /^\w$/;

export class Sweep {
  private readonly program: Program;
  private readonly first: number;
  private readonly isUnicode: boolean;
  /** Instructions that look around, the inner ones first. */
  private readonly around: readonly number[];
  private readonly known = new Map<string, { readonly sets: Uint8Array; readonly isWord: boolean }>();
  private steps = 0;

  /** `first` is what the program's `add` made of the expression, which is its only one. */
  constructor(program: Program, first: number, isUnicode: boolean) {
    this.program = program;
    this.first = first;
    this.isUnicode = isUnicode;
    this.around = program.instructions.flatMap(({ op }, at) => (op === 'ahead' || op === 'behind' ? [at] : []));
  }

  /** Tells whether the expression matches anywhere in the text. Throws TooCostly for a text that is too long for it. */
  test(text: string): boolean {
    this.steps = 0;
    const letters = this.lettersOf(text);
    const answers: Answers = new Map();
    for (const at of this.around) answers.set(at, this.answer(at, letters, answers));
    return this.forwards(this.first, letters, answers, () => true);
  }

  private answer(at: number, letters: Letters, answers: Answers): Uint8Array {
    const instruction = this.program.instructions[at] as Instruction;
    if (instruction.op === 'ahead') return this.backwards(instruction.inner, letters, answers);
    const matches = new Uint8Array(letters.length + 1);
    const start = instruction.op === 'behind' ? (this.program.behind[instruction.number] as number) : 0;
    this.forwards(start, letters, answers, (place) => {
      matches[place] = 1;
      return false;
    });
    return matches;
  }

  /** Begins at every place and tells each where a match ends, until one will do; whether one did. */
  private forwards(start: number, letters: Letters, answers: Answers, suffices: (place: number) => boolean): boolean {
    const seen = new Uint32Array(this.program.instructions.length);
    let open: number[] = [];
    for (let place = 0; place <= letters.length; place += 1) {
      open.push(start);
      const { isMatch, reads } = this.followed(open, seen, { place, letters, answers });
      this.mustBeAffordable();
      if (isMatch && suffices(place)) return true;
      open = read(reads, letters.sets[place]);
    }
    return false;
  }

  /** Follows all open threads up to the next character: whether one has matched, and the instructions that read on. */
  private followed(
    open: number[],
    seen: Uint32Array,
    here: Here,
  ): { readonly isMatch: boolean; readonly reads: Read[] } {
    const { instructions } = this.program;
    const reads: Read[] = [];
    let isMatch = false;
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (seen[at] === here.place + 1) continue;
      seen[at] = here.place + 1;
      this.steps += 1;
      const instruction = instructions[at] as Instruction;
      if (instruction.op === 'match') isMatch = true;
      else if (instruction.op === 'read') reads.push(instruction);
      else if (instruction.op === 'fork') for (const next of instruction.nexts) open.push(next);
      else if (passes(instruction, at, here)) open.push(instruction.next);
    }
    return { isMatch, reads };
  }

  /** Tells for each place whether a match begins there. */
  private backwards(start: number, letters: Letters, answers: Answers): Uint8Array {
    const { instructions } = this.program;
    const region = reachableFrom(start, instructions);
    const matches = new Uint8Array(letters.length + 1);
    let after = new Uint8Array(instructions.length);
    let now = new Uint8Array(instructions.length);
    for (let place = letters.length; place >= 0; place -= 1) {
      for (const at of region) now[at] = 0;
      for (let changed = true; changed; ) {
        this.steps += region.length;
        changed = false;
        for (const at of region) {
          if (now[at] === 1 || !leads(instructions[at] as Instruction, at, { place, letters, answers }, now, after))
            continue;
          now[at] = 1;
          changed = true;
        }
      }
      this.mustBeAffordable();
      matches[place] = now[start] as number;
      [after, now] = [now, after];
    }
    return matches;
  }

  private mustBeAffordable(): void {
    if (this.steps > MAX_STEPS) throw new TooCostly('the text is too long for its pattern');
  }

  private lettersOf(text: string): Letters {
    const characters = this.isUnicode ? Array.from(text) : text.split('');
    const known = characters.map((character) => this.letterOf(character));
    return {
      length: characters.length,
      sets: known.map(({ sets }) => sets),
      isWord: Uint8Array.from(known, ({ isWord }) => Number(isWord)),
    };
  }

  private letterOf(character: string): { readonly sets: Uint8Array; readonly isWord: boolean } {
    const known = this.known.get(character);
    if (known !== undefined) return known;
    if (this.known.size >= MAX_KNOWN) this.known.clear();
    const sets = Uint8Array.from(this.program.sets, (set) => Number(set.test(character)));
    const made = { sets, isWord: WORD.test(character) };
    this.known.set(character, made);
    return made;
  }
}

/** Tells whether an instruction leads to a match, where `now` tells which others do at this place and `after` at the next. */
function leads(instruction: Instruction, at: number, here: Here, now: Uint8Array, after: Uint8Array): boolean {
  switch (instruction.op) {
    case 'match':
      return true;
    case 'read':
      return here.letters.sets[here.place]?.[instruction.set] === 1 && after[instruction.next] === 1;
    case 'fork':
      return instruction.nexts.some((next) => now[next] === 1);
    default:
      return now[instruction.next] === 1 && passes(instruction, at, here);
  }
}

/** The instructions behind those that read this character. */
function read(reads: readonly Read[], sets: Uint8Array | undefined): number[] {
  const nexts: number[] = [];
  for (const { set, next } of reads) if (sets?.[set] === 1) nexts.push(next);
  return nexts;
}

/** Tells whether an instruction that reads nothing lets a thread pass at this place. */
function passes(
  instruction: Exclude<Instruction, { op: 'match' | 'read' | 'fork' }>,
  at: number,
  { place, letters: { length, isWord }, answers }: Here,
): boolean {
  switch (instruction.op) {
    case 'start':
      return place === 0;
    case 'end':
      return place === length;
    case 'boundary':
      return ((isWord[place - 1] ?? 0) !== (isWord[place] ?? 0)) !== instruction.negate;
    default:
      return (answers.get(at)?.[place] === 1) !== instruction.negate;
  }
}

/** In ascending order: what an instruction leads to mostly stands before it. */
function reachableFrom(start: number, instructions: readonly Instruction[]): readonly number[] {
  const found = new Set([start]);
  for (const at of found) {
    const instruction = instructions[at] as Instruction;
    if (instruction.op === 'fork') for (const next of instruction.nexts) found.add(next);
    else if (instruction.op !== 'match') found.add(instruction.next);
  }
  return [...found].sort((left, right) => left - right);
}
