// Defects that the status and the headers of one answer show, or a body that is not there, by what is declared and what the contract states.
import type { Terms } from '../contract/terms.ts';
import { type Difference, type Named, named } from './defect.ts';

/**
 * The answers that can have it. json: successes that are declared as JSON. error: errors of the contract's shape. refused: whatever is
 * refused. spoiled: refusals of a request that was wrong on purpose. empty: those with status 204.
 */
export type Having = 'json' | 'success' | 'error' | 'refused' | 'spoiled' | 'empty' | 'redirect' | 'any';

/** The statements of a description and of the contract about an answer. */
export interface Stated {
  /** The statuses of the operation: "200", "2XX" or "default". */
  readonly statuses: readonly string[];
  /** The name of a header that the answer must have, in lower case; null: it must have none. */
  readonly requiredHeader: string | null;
  readonly terms: Pick<Terms, 'unusedStatuses' | 'undeclaredStatuses'>;
}

export interface AnswerDefect extends Named {
  readonly having: Having;
  /** null where what is stated leaves nothing to break. */
  change(stated: Stated): Difference | null;
}

type Change = Difference | ((stated: Stated) => Difference | null);

function defects(clause: string, kinds: Readonly<Record<string, readonly [Having, says: string, Change]>>) {
  return Object.entries(kinds).map(
    ([name, [having, says, change]]): AnswerDefect => ({
      ...{ ...named(clause, name, says), having },
      change: typeof change === 'function' ? change : () => change,
    }),
  );
}

const typed = (type: string | null): Difference => ({ headers: { 'content-type': type } });
const located = (location: string | null): Difference => ({ headers: { location } });
const withRequired =
  (value: string | null) =>
  ({ requiredHeader }: Stated): Difference | null =>
    requiredHeader === null ? null : { headers: { [requiredHeader]: value } };

/** The first of the statuses that the operation does not declare; null where it declares all of the class. */
function undeclared(statuses: readonly string[], ofClass: string, wanted: readonly number[]): Difference | null {
  if (statuses.includes(ofClass) || statuses.includes('default')) return null;
  const status = wanted.find((one) => !statuses.includes(String(one)));
  return status === undefined ? null : { status };
}

export const ANSWER_DEFECTS: readonly AnswerDefect[] = [
  ...defects('SCH-02', {
    html: ['json', 'Successes in JSON call themselves text/html.', typed('text/html; charset=utf-8')],
    'no-type': ['json', 'Successes have no content type.', typed(null)],
    'undeclared-json': [
      'json',
      'Successes are of a JSON type that is not declared.',
      typed('application/vnd.assay+json'),
    ],
    'error-as-text': ['error', 'Errors in JSON call themselves text/plain.', typed('text/plain')],
  }),
  ...defects('SCH-03', {
    'empty-body': ['json', 'Successes lack the body that is declared.', { text: '' }],
    'body-of-204': ['empty', 'A 204 carries a body.', { json: { ok: true } }],
  }),
  ...defects('SCH-04', {
    'header-missing': ['any', 'A required response header is missing.', withRequired(null)],
  }),
  ...defects('SCH-05', {
    'undeclared-success': [
      'success',
      'Successes have a status that the operation does not declare.',
      ({ statuses }) => undeclared(statuses, '2XX', [206, 203, 208, 226]),
    ],
  }),
  ...defects('SCH-06', {
    'one-operation': ['success', 'Sound requests are answered 500.', { status: 500 }],
    'bad-request-as-500': ['spoiled', 'Requests that are to be refused are answered 500.', { status: 500 }],
  }),
  ...defects('SCH-07', {
    unused: [
      'refused',
      'Errors have a status that is never used.',
      ({ terms: { unusedStatuses } }) => {
        const status = unusedStatuses[Math.floor(unusedStatuses.length / 2)];
        return status === undefined ? null : { status };
      },
    ],
  }),
  ...defects('SCH-08', {
    'undeclared-refusal': [
      'refused',
      'Errors have a status that the operation does not declare.',
      ({ statuses, terms: { undeclaredStatuses, unusedStatuses } }) =>
        undeclared(
          [...statuses, ...[...undeclaredStatuses, ...unusedStatuses].map(String)],
          '4XX',
          [451, 418, 424, 410],
        ),
    ],
  }),
  ...defects('VER-02', {
    sunset: ['any', 'The operation announces its sunset.', { headers: { sunset: 'Sat, 31 Dec 2033 23:59:59 GMT' } }],
    deprecation: ['any', 'The operation sends a Deprecation header.', { headers: { deprecation: '@1767225599' } }],
  }),
  ...defects('RED-01', {
    'no-location': ['redirect', 'The redirect has no Location.', located(null)],
    'no-url': ['redirect', 'The Location of the redirect is no URL.', located('http://[settings')],
    empty: ['redirect', 'The Location of the redirect is empty.', located('')],
  }),
];
