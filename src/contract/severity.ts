// How much harm a breach of each clause does, and which causes reports show before others, whatever their breadth.
// A level says whether a breach fails the run; a severity says what to repair first.
import type { Severity } from './clauses/entry.ts';
import { entryOf } from './clauses.ts';

/** The harm that a breach of each severity does, in words for readers. */
export const SEVERITY_WORDS: Readonly<Record<Severity, string>> = {
  security: 'somebody gets in, or a secret gets out',
  data: 'an effect happens twice, or data is lost',
  availability: 'a client is left without an answer or a service',
  schema: 'an answer is not as it is described',
  form: 'a description, an error or a header has another form',
};

/** The severity of a breach of the clause; clauses of a user's own are on a par with schemas. */
export function severityOf(id: string): Severity {
  return entryOf(id)?.severity ?? 'schema';
}

/** The harm of breaches to those who rely on the service, the gravest first; a breach of no class here stands by its severity. */
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
