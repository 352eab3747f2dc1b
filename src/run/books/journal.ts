// The journal of what a run makes, a line each in created.jsonl: what may be made is written down before it is sent, so that
// a run that is killed leaves word of all that it may have left behind. Holds no secret: paths, keys of requests, marks.
//
//   {"journal":1,"run":…,"baseUrl":…}                    a part of a run begins (conformance, or a load suite)
//   {"n":1,"operation":…,"path":…,"mark":…}              is about to be sent
//   {"n":1,"status":201,"made":"/v1/stores/1"}       its answer; without `made` nothing came of it
//   {"gone":"/v1/stores/1"}                          was deleted
//   {"sought":"<mark>","made":"/v1/stores/1"}        the request of this mark was never answered, and a list shows this
//                                                        of it; without `made`: nothing, or nothing more
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DescribedRun } from '../../contract/report.ts';
import { LineFile } from '../../disk/line-files.ts';
import { writeWhole } from '../../disk/whole-file.ts';

/** In the folder of the run. */
export const JOURNAL_FILE = 'created.jsonl';

/** Which target a part of a run was about. */
export interface JournalHead {
  readonly run: string;
  readonly startedAt: string;
  readonly baseUrl: string;
  /** The configuration's file, from where the run was started; null where there is none, or it lies elsewhere. */
  readonly config: string | null;
  /** The description and options that name the target, where no file does; absent: a configuration did. */
  readonly described?: DescribedRun;
  /** Set: the target was the embedded platform, which ended with the run. */
  readonly embedded?: true;
}

/** A request that may make something. */
export interface Announced {
  readonly service: string | null;
  readonly operation: string;
  readonly path: string;
  /** Name of the configured key that it is sent under; null for none. */
  readonly key: string | null;
  /** Its Idempotency-Key. */
  readonly idempotencyKey?: string;
  /** A text in its body that no other request of this or another run holds. */
  readonly mark?: string;
  /** Set: it is sent any number of times, by load. */
  readonly isRepeated?: true;
}

/** The result of an announced request. */
export interface AnnouncedResult {
  /** null: no answer was seen. */
  readonly status: number | null;
  /** Concrete path of what was made; absent: nothing was, or its id is not known. */
  readonly made?: string;
  /** Concrete path of the collection in which something was made whose id is not known. */
  readonly unnamed?: string;
  /** Set: a DELETE is described for it. */
  readonly undoable?: true;
}

export interface CreationJournal {
  /** Writes the request down and returns its number. Throws where it cannot be written: then it must not be sent. */
  intend(intent: Announced): number;
  /** Writes down what came of the request of this number. */
  tell(number: number, result: AnnouncedResult): void;
  gone(path: string): void;
  /** Records the object that a list shows of the unanswered requests with this mark; null: it shows none, or no more. */
  settle(mark: string, made: { readonly path: string; readonly undoable: boolean } | null): void;
  close(): void;
}

/** Numbers and forgets: for runs without a folder. */
export function unwrittenJournal(): CreationJournal {
  let last = 0;
  return {
    intend() {
      last += 1;
      return last;
    },
    tell() {},
    gone() {},
    settle() {},
    close() {},
  };
}

/**
 * Appends to the file, which is made where it is not there; a line is with the system before the call returns. Without a
 * head the line belongs to the last part. `mask` takes secrets out of a line.
 */
export function openJournal(
  file: string,
  head: JournalHead | null,
  mask: (text: string) => string = (text) => text,
): CreationJournal {
  const lines = new LineFile(file);
  let last = 0;
  const write = (line: object): void => lines.append(mask(JSON.stringify(line)));
  if (head !== null) write({ journal: 1, ...head });
  return {
    intend(intent) {
      last += 1;
      write({ n: last, ...intent });
      return last;
    },
    tell: (number, result) => attempt(() => write({ n: number, ...result })),
    gone: (path) => attempt(() => write({ gone: path })),
    settle: (mark, made) =>
      attempt(() =>
        write(
          made === null
            ? { sought: mark }
            : { sought: mark, made: made.path, ...(made.undoable ? { undoable: true } : {}) },
        ),
      ),
    close: () => lines.close(),
  };
}

/**
 * The journal of a run that begins in this folder. What runs before it left there, and did not delete, stays in it; the rest
 * is dropped. Throws where nothing can be written.
 */
export async function beginJournal(
  folder: string,
  head: JournalHead,
  mask?: (text: string) => string,
): Promise<CreationJournal> {
  const file = join(folder, JOURNAL_FILE);
  if (existsSync(file)) await writeWhole(file, compacted(readJournal(file)));
  return openJournal(file, head, mask);
}

/** A result that cannot be written is no loss: readers of the journal look for what its request has made. */
function attempt(writing: () => void): void {
  try {
    writing();
  } catch {
    // A disk that is full: the request stands there as open.
  }
}

/** The records of one part of a run. */
export interface JournalPart {
  readonly head: JournalHead;
  readonly made: readonly JournalledObject[];
  /** Requests that were not answered, or by a failure of the server: something may have come of them. */
  readonly open: readonly Announced[];
}

export interface JournalledObject {
  readonly intent: Announced;
  /** Its concrete path; that of its collection where its id is not known. */
  readonly path: string;
  readonly isNamed: boolean;
  readonly undoable: boolean;
  readonly isGone: boolean;
}

/**
 * The file is no journal, or another than this version writes. The message names the file, and the line where there is one. Caught by
 * commands, which add a hint.
 */
export class JournalUnreadable extends Error {}

/**
 * Reads the parts of a journal, in the order written; lines that were cut short are left out. Throws JournalUnreadable for
 * a line that no run wrote: what it tells of must be neither deleted nor forgotten.
 */
export function readJournal(file: string): readonly JournalPart[] {
  const parts: Reading[] = [];
  const text = textOf(file);
  for (const [index, line] of text.split('\n').entries()) {
    const entry = entryOf(line);
    if (entry === null) continue;
    if (!isWritten(entry)) throw new JournalUnreadable(`${file}:${index + 1} is no line of a journal of this version`);
    if (entry.journal === 1) parts.push(new Reading(membersOf(entry, HEAD) as unknown as JournalHead));
    else parts.at(-1)?.take(entry);
  }
  if (parts.length === 0 && text.trim() !== '') throw new JournalUnreadable(`${file} is no journal of a run`);
  // Objects that one part made may be found and deleted by a later one, and by `assay clean` at the end.
  const later: Later = {
    gone: new Set(parts.flatMap((part) => [...part.gone])),
    sought: parts.flatMap((part) => part.sought),
  };
  return parts.map((part) => part.whole(later));
}

/** Tells whether something of the part may be left. */
export function isToClean({ made, open }: JournalPart): boolean {
  return open.length > 0 || made.some(({ isGone }) => !isGone);
}

/** The journal with what may be left alone; empty where nothing may. */
export function compacted(parts: readonly JournalPart[]): string {
  const lines = parts.filter(isToClean).flatMap(({ head, made, open }) => {
    const left = made.filter(({ isGone }) => !isGone);
    const told = left.flatMap(({ intent, path, isNamed, undoable }, index) => [
      { ...intent, n: index + 1 },
      { n: index + 1, status: 201, [isNamed ? 'made' : 'unnamed']: path, ...(undoable ? { undoable } : {}) },
    ]);
    return [head, ...told, ...open.map((intent, index) => ({ ...intent, n: left.length + index + 1 }))];
  });
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

function entryOf(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    // A run that was killed leaves a line that is cut short.
    return null;
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new JournalUnreadable(`${file} cannot be read: ${(error as Error).message}`);
  }
}

type Shape = Readonly<Record<string, (value: unknown) => boolean>>;
const isText = (value: unknown): boolean => typeof value === 'string';
const isTextOrNull = (value: unknown): boolean => value === null || isText(value);
const isPath = (value: unknown): boolean => typeof value === 'string' && value.startsWith('/');
const isSet = (value: unknown): boolean => value === true;
const isNumber = (value: unknown): boolean => typeof value === 'number';
const isAddress = (value: unknown): boolean => typeof value === 'string' && URL.canParse(value);
const optional = (of: Shape[string]) => (value: unknown) => value === undefined || of(value);

const HEAD: Shape = {
  journal: (value) => value === 1,
  run: isText,
  startedAt: isText,
  baseUrl: isAddress,
  config: isTextOrNull,
  embedded: optional(isSet),
};
const INTENT: Shape = {
  n: isNumber,
  service: isTextOrNull,
  operation: isText,
  path: isPath,
  key: isTextOrNull,
  idempotencyKey: optional(isText),
  mark: optional(isText),
  isRepeated: optional(isSet),
};
const TOLD: Shape = {
  n: optional(isNumber),
  status: (value) => value === undefined || value === null || isNumber(value),
  made: optional(isPath),
  unnamed: optional(isPath),
  undoable: optional(isSet),
  gone: optional(isPath),
  sought: optional(isText),
};

/** Tells whether a run writes such an entry. */
function isWritten(entry: Record<string, unknown>): boolean {
  const shape = Object.hasOwn(entry, 'journal') ? HEAD : Object.hasOwn(entry, 'operation') ? INTENT : TOLD;
  return Object.entries(shape).every(([name, fits]) => fits(Object.hasOwn(entry, name) ? entry[name] : undefined));
}

/** The members that a run writes. */
function membersOf(entry: Record<string, unknown>, shape: Shape): Record<string, unknown> {
  return Object.fromEntries(
    Object.keys(shape).flatMap((name) => (Object.hasOwn(entry, name) ? [[name, entry[name]]] : [])),
  );
}

/** The object that a list showed of requests that were not answered. */
interface Sought {
  readonly mark: string;
  readonly made: string | null;
  readonly undoable: boolean;
}

/** The later fate of objects, as all parts tell it of what any of them made. */
interface Later {
  readonly gone: ReadonlySet<string>;
  readonly sought: readonly Sought[];
}

/** One part while it is read. */
class Reading {
  readonly gone = new Set<string>();
  readonly sought: Sought[] = [];
  readonly #head: JournalHead;
  readonly #intents = new Map<number, Announced>();
  readonly #open = new Set<number>();
  readonly #doubtful = new Set<number>();
  readonly #made = new Map<string, Omit<JournalledObject, 'isGone'>>();

  constructor(head: JournalHead) {
    this.#head = head;
  }

  take(entry: Record<string, unknown>): void {
    const { n, gone, sought: mark, made, unnamed, undoable, operation, status } = entry;
    if (typeof gone === 'string') this.gone.add(gone);
    if (typeof mark === 'string')
      this.sought.push({ mark, made: typeof made === 'string' ? made : null, undoable: undoable === true });
    if (typeof n !== 'number') return;
    if (typeof operation === 'string') {
      this.#intents.set(n, membersOf(entry, INTENT) as unknown as Announced);
      this.#open.add(n);
      return;
    }
    const intent = this.#intents.get(n);
    if (intent === undefined) return;
    // A failure of the server may come after the effect, and so may one of the connection, where no key ties the sends.
    const isClear = typeof status === 'number' && status < 500;
    if (!isClear && intent.idempotencyKey === undefined) this.#doubtful.add(n);
    if (isClear && !this.#doubtful.has(n)) this.#open.delete(n);
    const known = { intent, undoable: undoable === true };
    if (typeof made === 'string') this.#made.set(made, { ...known, path: made, isNamed: true });
    if (typeof unnamed === 'string') this.#made.set(`${unnamed} ${n}`, { ...known, path: unnamed, isNamed: false });
  }

  whole({ gone, sought }: Later): JournalPart {
    const open = [...this.#open].flatMap((n) => this.#intents.get(n) ?? []);
    // A request that was sent many times may have made more, until a line says that it has not.
    const isSought = ({ mark, isRepeated }: Announced): boolean =>
      sought.some((one) => one.mark === mark && (isRepeated !== true || one.made === null));
    for (const intent of open) this.#takeFound(intent, sought);
    for (const [key, { intent, isNamed }] of [...this.#made])
      if (!isNamed && this.#takeFound(intent, sought)) this.#made.delete(key);
    return {
      head: this.#head,
      made: [...this.#made.values()].map((one) => ({ ...one, isGone: one.isNamed && gone.has(one.path) })),
      open: open.filter((intent) => !isSought(intent)),
    };
  }

  /** Takes in what a list showed of the request; tells whether it showed anything. */
  #takeFound(intent: Announced, sought: readonly Sought[]): boolean {
    const found = sought.filter(({ mark, made }) => mark === intent.mark && made !== null);
    for (const { made, undoable } of found)
      if (made !== null) this.#made.set(made, { intent, undoable, path: made, isNamed: true });
    return found.length > 0;
  }
}
