// Reads the words at the ends of paths that say what a call does (/users/create, /rows:upsert, /items/bulk-delete), and with them what a
// path is about. This is the one table of such words.
import { collectionTemplate, parameterNames, trimmed } from './paths.ts';

const WORDS = {
  makes: ['create', 'insert', 'upsert'],
  shows: ['get', 'read', 'fetch', 'show', 'describe'],
  changes: ['update', 'edit', 'set', 'start', 'stop', 'restart', 'cancel', 'enable', 'disable'],
  removes: ['delete', 'destroy', 'erase', 'remove'],
  /** Takes all away that is there. */
  empties: ['reset', 'purge', 'wipe', 'flush', 'clear', 'truncate', 'clean-?up', 'drop', 'prune', 'restore'],
  /** Puts other things in the place of what is there, or changes all of it. */
  replaces: ['import'],
} as const;

/** The effects of a success on the things that the path is about. */
type Deed = keyof typeof WORDS;
const DEEDS = Object.keys(WORDS) as readonly Deed[];

const MANY = 'bulk|batch|mass|multi(?:ple)?|many|selected|all|by[-_]?(?:ids?|query|filter)';
/** Such a word may stand between signs: `/__flush__`. */
const AT_END = new RegExp(
  `[/:.][_.$~-]*(?:(?<before>${MANY})[-_]?)?` +
    `(?:${DEEDS.map((deed) => `(?<${deed}>${WORDS[deed].join('|')})`).join('|')})(?:[-_]?or[-_]?(?:update|replace))?` +
    `(?:[-_/]?(?<after>${MANY}))?(?:[-_](?<object>[\\w-]*?))?[_.$~-]*$`,
  'i',
);

/** A word that says what is done. */
interface PathWord {
  readonly deed: Deed;
  /** In lower case. */
  readonly word: string;
  /** The path before it. */
  readonly before: string;
  /** Tells whether it is done to several things, as the word says: bulk-delete, deleteByIds. */
  readonly isOfMany: boolean;
  /** The name of what it is done to, where that follows the word: user of get_user; else empty. */
  readonly object: string;
}

/** The word at the end of the path that says what a call does; null for none. */
export function wordAtEnd(path: string): PathWord | null {
  const found = AT_END.exec(inWords(trimmed(path)));
  const deed = DEEDS.find((one) => found?.groups?.[one] !== undefined);
  if (found?.groups === undefined || deed === undefined) return null;
  const { before: many = '', after = many, object = '', [deed]: word = '' } = found.groups;
  const isOfAll = after.toLowerCase() === 'all';
  return {
    deed: isOfAll && deed === 'removes' ? 'empties' : isOfAll && deed === 'changes' ? 'replaces' : deed,
    word: word.toLowerCase(),
    before: trimmed(path).slice(0, found.index),
    isOfMany: after !== '',
    object,
  };
}

/** The path with dashes between the words of its end: /users/deleteUser is /users/delete-User. */
function inWords(path: string): string {
  return path.replaceAll(/(?<=[a-z])(?=[A-Z])(?=\w*$)/g, '-');
}

/** The things that a path is about. */
interface PathSubject {
  /** The path of the collection of these things, as the description has it. */
  readonly collection: string;
  /** Tells whether the path names one of them: /users/{id}, /users/{id}/stop. */
  readonly isOfOne: boolean;
  /** Null: no word says what is done with them. */
  readonly word: PathWord | null;
}

/** Finds them: /users, /users/{id}, /users/create and /users/{id}/stop are about users. */
export function subjectOf(path: string): PathSubject {
  const word = wordAtEnd(path);
  const place = word === null || word.before === '' ? trimmed(path) : word.before;
  const isOfOne = /(\/\{[^}]*\}|\('?\{[^}]*\}'?\))$/.test(place);
  const last = parameterNames(place).at(-1) ?? '';
  return { collection: isOfOne ? collectionTemplate(place, last) : place, isOfOne, word };
}

/** Tells whether a success takes away the one thing that the path names, or what is in it: DELETE /users/{id}, POST /databases/{id}/reset. */
export function takesAwayOne({ method, path }: { readonly method: string; readonly path: string }): boolean {
  const { isOfOne, word } = subjectOf(path);
  return method === 'DELETE' || (isOfOne && (word?.deed === 'removes' || word?.deed === 'empties'));
}

const OF_MANY = new RegExp(`^(.+)[/:.][_.$~-]*(?:${MANY})$`, 'i');

/** The path of the collection to which a path adds by a word at its end: /users/create, /users/bulk; null for any other path. */
export function collectionOfMaking(path: string): string | null {
  const word = wordAtEnd(path);
  if (word === null) return OF_MANY.exec(trimmed(path))?.[1] ?? null;
  return word.deed === 'makes' && word.object === '' && word.before !== '' ? word.before : null;
}

const LISTING = /^(.+)[/:.][_.$~-]*(?:list|list[-_]?all|get[-_]?all|all)$/i;

/** The path of the collection whose items a path shows by a word at its end: /users.list, /users/all; null for any other path. */
export function collectionOfListing(path: string): string | null {
  return LISTING.exec(trimmed(path))?.[1] ?? null;
}
