// How much harm a breach of each clause does, and which causes reports show before others, whatever their breadth.
// A level says whether a breach fails the run; a severity says what to repair first.
import type { ClauseFamily } from './clause.ts';

/** The worst first. */
export const SEVERITIES = ['security', 'data', 'availability', 'schema', 'form'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** What a breach of that severity does, in words for readers. */
export const SEVERITY_WORDS: Readonly<Record<Severity, string>> = {
  security: 'somebody gets in, or a secret gets out',
  data: 'an effect happens twice, or data is lost',
  availability: 'a client is left without an answer or a service',
  schema: 'an answer is not as it is described',
  form: 'a description, an error or a header has another form',
};

/** A family's severity, and the clauses of the family that differ from it. */
const FAMILIES: Readonly<Record<ClauseFamily, Severity>> = {
  SPEC: 'form',
  SCH: 'schema',
  ERR: 'form',
  AUTH: 'security',
  REQ: 'schema',
  PAG: 'schema',
  IDEM: 'data',
  RATE: 'availability',
  VER: 'form',
  RED: 'schema',
  HEALTH: 'availability',
  INT: 'security',
  LIFE: 'data',
  COND: 'data',
  HOOK: 'data',
  CLIENT: 'availability',
  X: 'schema',
};

const CLAUSES: Readonly<Record<string, Severity>> = {
  'SCH-06': 'availability', // a 5xx
  'SCH-07': 'form',
  'SCH-08': 'form',
  'SCH-09': 'form',
  'ERR-12': 'security', // a token or a stack trace in an answer
  'ERR-13': 'schema',
  'AUTH-05': 'availability', // a good token is refused
  'AUTH-06': 'availability',
  'REQ-09': 'availability', // no answer
  'PAG-03': 'availability', // all rows in one page
  'PAG-06': 'data', // a walk misses items or repeats them
  'PAG-07': 'data',
  'PAG-08': 'data',
  'PAG-10': 'data',
  'PAG-11': 'form',
  'PAG-12': 'availability',
  'PAG-14': 'data', // a client that follows next misses items, or never ends
  'PAG-15': 'data',
  'IDEM-06': 'availability', // a header turns a success into an error
  'RATE-01': 'form',
  'RATE-02': 'form',
  'RATE-12': 'form',
  'LIFE-07': 'security', // mass assignment
  'HOOK-01': 'security', // deliveries that nobody can verify
  'HOOK-03': 'form',
  'CLIENT-02': 'security',
  'CLIENT-06': 'data', // a payment twice
  'CLIENT-07': 'security', // a token follows a redirect
  'CLIENT-09': 'form',
  'CLIENT-10': 'data',
  'CLIENT-11': 'security', // a token in a log
};

/** The severity of a breach of the clause; clauses of a user's own are on a par with schemas. */
export function severityOf(id: string): Severity {
  const family = id.slice(0, id.lastIndexOf('-'));
  return CLAUSES[id] ?? (isFamily(family) ? FAMILIES[family] : 'schema');
}

function isFamily(name: string): name is ClauseFamily {
  return Object.hasOwn(FAMILIES, name);
}

/** What a breach does to whoever relies on the service, the gravest first; what is in no class here stands by its severity. */
const GRAVITIES = [
  'open-delete',
  'crash',
  'crossing',
  'sound-fails',
  'let-in',
  'data',
  'wrong-fails',
  'hostile-fails',
  'availability',
  'security',
  'schema',
  'form',
] as const;
type Gravity = (typeof GRAVITIES)[number];

/** Classes that codes tell: the first that matches counts. */
const BY_CODE: readonly (readonly [RegExp, Gravity])[] = [
  [/^auth-01\.deletes(\.|$)/, 'open-delete'], // strangers take away what others have
  [/^req-09\.(dropped|unanswered)(\.|$)/, 'crash'],
  [/^req-09\.answered-5xx(\.|$)/, 'hostile-fails'],
  [/^sch-06\..*\.invalid$/, 'wrong-fails'],
  [/^sch-06\..*\.hostile$/, 'hostile-fails'],
  [/^(sch-06|health-01|auth-05|auth-06|idem-06)(\.|$)/, 'sound-fails'],
  [/^(auth-08|req-02\.below-unknown)(\.|$)/, 'crossing'], // one tenant reaches what is another's
  [/^[a-z]+-\d+\.accepted(\.|$)/, 'let-in'],
];

/** The same for what has no code: reports of older versions, and rows of clauses. */
function gravityOf(id: string, code: string): Gravity {
  const told = code === '' ? id.toLowerCase() : code;
  const severity = severityOf(id);
  const found = BY_CODE.find(([pattern]) => pattern.test(told))?.[1];
  // Spoiled input that is let in is no stranger that is.
  return found === undefined || (found === 'let-in' && severity !== 'security') ? severity : found;
}

/** The lower the graver: by what the breach does, as its clause and code tell. */
export function severityRank(id: string, code = ''): number {
  return GRAVITIES.indexOf(gravityOf(id, code));
}
