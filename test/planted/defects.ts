// The defects of the planted API: each spoils one resource and no other, in what it checks or in what it answers.

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
const item =
  (change: (item: Record<string, unknown>) => Record<string, unknown>): Spoil =>
  (answer, { method, id }) =>
    method === 'GET' && id !== null && answer.status === 200
      ? { ...answer, body: change(answer.body as Record<string, unknown>) }
      : answer;
const created =
  (change: (answer: Answer) => Answer): Spoil =>
  (answer) =>
    answer.status === 201 ? change(answer) : answer;

/** By the name of the resource that has it. */
export const DEFECTS: Readonly<Record<string, Defect>> = {
  'undeclared-success': { clause: 'SCH-05', spoil: created((answer) => ({ ...answer, status: 202 })) },
  'undeclared-error': {
    clause: 'SCH-08',
    spoil: (answer) => (answer.status === 404 ? { ...answer, status: 410 } : answer),
  },
  'other-type': {
    clause: 'SCH-02',
    spoil: created((answer) => ({ ...answer, headers: { ...answer.headers, 'content-type': 'text/html' } })),
  },
  'member-missing': { clause: 'SCH-01', spoil: item(({ owner: _owner, ...rest }) => rest) },
  'nested-type': {
    clause: 'SCH-01',
    spoil: item((shown) => ({ ...shown, owner: { ...(shown.owner as object), email: 7 } })),
  },
  'nested-format': {
    clause: 'SCH-01',
    spoil: item((shown) => ({ ...shown, owner: { ...(shown.owner as object), since: 'yesterday' } })),
  },
  'value-unlisted': { clause: 'SCH-01', spoil: item((shown) => ({ ...shown, size: 'medium' })) },
  'body-empty': { clause: 'SCH-03', spoil: created((answer) => ({ ...answer, body: undefined })) },
  'header-missing': { clause: 'SCH-04', spoil: created((answer) => ({ ...answer, headers: contentType(answer) })) },
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

function contentType({ headers }: Answer): Readonly<Record<string, string>> {
  return { 'content-type': headers['content-type'] ?? '' };
}

/** undefined where the text is no JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
