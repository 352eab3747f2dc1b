// The defects of the planted API: each spoils one resource and no other, in what it checks or in what it answers.
import { ANSWER_DEFECTS } from '../../src/defects/answers.ts';
import { type Difference, defectNamed } from '../../src/defects/defect.ts';
import { placesOf, replaced } from '../../src/defects/schema-places.ts';
import { SCHEMA_DEFECTS } from '../../src/defects/schemas.ts';
import { ITEM } from './description.ts';

/** What a sound resource checks before it acts; a defect leaves one out. */
export type Guard =
  | 'credentials'
  | 'token'
  | 'json'
  | 'required'
  | 'type'
  | 'constraint'
  | 'region-given'
  | 'query-type'
  | 'query-constraint'
  | 'media-type'
  | 'method'
  | 'deletion';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** undefined: none. */
  readonly body: unknown;
}

export interface Asked {
  readonly method: string;
  /** Of an item; null for the collection. */
  readonly id: string | null;
  readonly text: string;
}

/** `drop`: the connection is closed in place of an answer. */
type Spoil = (answer: Answer, asked: Asked) => Answer | 'drop';

export interface Defect {
  /** The clause that speaks of it. */
  readonly clause: string;
  readonly without?: Guard;
  readonly spoil?: Spoil;
}

const without = (clause: string, guard: Guard): Defect => ({ clause, without: guard });
/** An item that is read, with the catalogue's defect at the place. */
function item(id: string, ...path: readonly string[]): Defect {
  const { clause, broken } = defectNamed(SCHEMA_DEFECTS, id);
  return {
    clause,
    spoil(answer, { method, id: one }) {
      if (method !== 'GET' || one === null || answer.status !== 200) return answer;
      const place = placesOf((schema) => schema, ITEM, answer.body).find((found) => found.path.join() === path.join());
      const other = place === undefined ? null : broken(place);
      return other === null ? answer : { ...answer, body: replaced(answer.body, path, other.value) };
    },
  };
}

/** Answers of the status with the catalogue's defect. */
function answered(id: string, status: number): Defect {
  const { clause, change } = defectNamed(ANSWER_DEFECTS, id);
  const statuses = ['200', '201', '204', '400', '401', '404', '415'];
  const terms = { unusedStatuses: [], undeclaredStatuses: [] };
  const difference = change({ statuses, requiredHeader: 'x-version', terms });
  return {
    clause,
    spoil: (answer) => (answer.status === status && difference !== null ? differing(answer, difference) : answer),
  };
}

function differing(answer: Answer, { status = answer.status, headers = {}, text }: Difference): Answer {
  const kept = Object.entries({ ...answer.headers, ...headers }).filter(
    (one): one is [string, string] => one[1] !== null,
  );
  return { status, headers: Object.fromEntries(kept), body: text === undefined ? answer.body : undefined };
}

/** By the name of the resource that has it. */
export const DEFECTS: Readonly<Record<string, Defect>> = {
  'undeclared-success': answered('sch-05-undeclared-success', 201),
  'undeclared-error': answered('sch-08-undeclared-refusal', 404),
  'other-type': answered('sch-02-html', 201),
  'member-missing': item('sch-01-required-missing', 'owner'),
  'nested-type': item('sch-01-wrong-type', 'owner', 'email'),
  'nested-format': item('sch-01-format', 'owner', 'since'),
  'value-unlisted': item('sch-01-outside-enum', 'size'),
  'body-empty': answered('sch-03-empty-body', 201),
  'header-missing': answered('sch-04-header-missing', 201),
  'fails-with-tags': {
    clause: 'SCH-06',
    spoil: (answer, { text }) => (answer.status === 201 && text.includes('"tags"') ? failed(answer) : answer),
  },
  'fails-on-unknown': { clause: 'SCH-06', spoil: (answer) => (answer.status === 404 ? failed(answer) : answer) },
  'fails-on-malformed': {
    clause: 'SCH-06',
    spoil: (answer, { text }) => (answer.status === 400 && jsonOf(text) === undefined ? failed(answer) : answer),
  },
  'drops-hostile': {
    clause: 'REQ-09',
    spoil: (answer, { text }) => (text.includes('\\u0000') ? 'drop' : answer),
  },
  open: without('AUTH-01', 'credentials'),
  'any-token': without('AUTH-02', 'token'),
  'takes-malformed': without('REQ-05', 'json'),
  'takes-incomplete': without('REQ-03', 'required'),
  'takes-other-types': without('REQ-04', 'type'),
  'takes-unlisted': without('REQ-08', 'constraint'),
  'takes-no-region': without('REQ-03', 'region-given'),
  'takes-text-query': without('REQ-04', 'query-type'),
  'takes-any-region': without('REQ-08', 'query-constraint'),
  'takes-any-media': without('REQ-06', 'media-type'),
  'takes-any-method': without('REQ-06', 'method'),
  'serves-deleted': without('REQ-02', 'deletion'),
};

function failed(answer: Answer): Answer {
  return { ...answer, status: 500, body: { message: 'failed' } };
}

/** undefined where the text is no JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
