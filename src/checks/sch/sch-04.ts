// SCH-04 (must): Declared response headers are present when required and validate.

import { type Breach, breached } from '../../contract/judgement.ts';
import { headers } from '../../exchange/body.ts';
import { oncePer, oncePerValue } from '../../exchange/once-per.ts';
import { isHead, shortened } from '../../facts/answered.ts';
import type { DeclaredHeader, SchemaBreach, Validator } from '../../openapi/model/operation.ts';
import { sch } from '../../wording/sch.ts';
import type { ExchangeCheck, Subject } from '../check.ts';
import { type DeclaredAnswer, declaredAnswer } from './declared.ts';
import { hasFormOfContract, headerReadings } from './header-value.ts';
import { withinBounds } from './within-bounds.ts';

/** Declarations of these are ignored: other parts of a description state them. Source: OpenAPI, Response and Parameter Object. */
const IGNORED = new Set(['content-type', 'accept', 'authorization']);
type Under = Pick<Subject, 'contract' | 'terms'>;

export const sch04: ExchangeCheck = {
  clause: 'SCH-04',
  title: 'Declared response headers are present when required, and validate',
  // An answer to HEAD may leave out headers declared for GET (RFC 9110, 9.3.2), not those declared for HEAD itself.
  applies: (subject) =>
    (!isHead(subject.exchange) || subject.operation?.method === 'HEAD') &&
    judged(declaredAnswer(subject), subject).length > 0,
  judge(subject) {
    const answer = declaredAnswer(subject);
    if (answer === null) return breached([]);
    const declared = judged(answer, subject);
    return withinBounds(() =>
      breached(
        declared.flatMap((header) => headerBreaches(header, answer, subject)),
        declared.length,
      ),
    );
  },
};

/** The declared headers of which something can be said: required ones, and those that are there. */
function judged(answer: DeclaredAnswer | null, under: Under): readonly DeclaredHeader[] {
  if (answer?.declared == null) return [];
  return answer.declared.headers.filter((header) => {
    const name = header.name.toLowerCase();
    if (IGNORED.has(name)) return false;
    return header.required || (headers(answer.response.headers, name).length > 0 && !isExempt(name, answer, under));
  });
}

/** Keywords that bound a number: they do not tell one form of a value from another. */
const OF_SIZE: ReadonlySet<string> = new Set(['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum']);

/** On health checks and 401s of the contract `commerce`, rate-limit headers may be anything (RATE-01, HEALTH-01). */
function isExempt(name: string, { operation, response }: DeclaredAnswer, { contract, terms }: Under): boolean {
  if (contract !== 'commerce') return false;
  const { limit, remaining, reset } = terms.rateLimits?.headers ?? {};
  const isOfLimits = [limit, remaining, reset].some((own) => own?.toLowerCase() === name);
  return isOfLimits && (operation.key === terms.health?.operation || response.status === 401);
}

function headerBreaches(header: DeclaredHeader, { response, description }: DeclaredAnswer, under: Under): Breach[] {
  const sent = headers(response.headers, header.name);
  if (sent.length === 0) {
    const told = sch('sch-04.absent', { name: header.name }, header.name.toLowerCase());
    return [{ weight: 'breach', ...told, expected: `the header ${header.name}`, actual: 'absent' }];
  }
  const validate = header.schema === null ? null : description.validator(header.schema, 'response');
  if (validate === null) return [];
  const value = sent.join(', ');
  const failure = failureOfAll(header, sent, validate);
  const isOtherForm = failure !== null && !OF_SIZE.has(failure.keyword) && hasFormOfContract(under, header.name, value);
  if (failure === null || isOtherForm) return [];
  const actual = shortened(value);
  const values = { name: header.name, actual, problem: failure.message };
  const told = sch('sch-04.invalid', values, header.name.toLowerCase());
  return [{ weight: 'breach', ...told, expected: failure.expected, actual }];
}

/** Cookies are set by a line each; the declared one may be any of them, or the list. Source: RFC 9110, 5.3. */
function failureOfAll(header: DeclaredHeader, lines: readonly string[], validate: Validator): SchemaBreach | null {
  const isCookie = header.name.toLowerCase() === 'set-cookie';
  const failures = [...(isCookie ? lines : []), lines.join(', ')].map((value) => failureOf(header, value, validate));
  return failures.includes(null) ? null : (failures[0] ?? null);
}

/** Maximum number of values of a header that are remembered. */
const MOST_REMEMBERED = 500;
const failuresOf = oncePer((header: DeclaredHeader) =>
  oncePerValue(
    (value: string, validate: Validator) => failureAmong(headerReadings(value, header), validate),
    MOST_REMEMBERED,
  ),
);

/** Why no reading of the value fits; null: one does. The values of a header come again and again, and are judged once. */
function failureOf(header: DeclaredHeader, value: string, validate: Validator): SchemaBreach | null {
  return failuresOf(header)(value, validate);
}

function failureAmong(readings: readonly unknown[], validate: Validator): SchemaBreach | null {
  let failure: SchemaBreach | undefined;
  for (const reading of readings) {
    const [first] = validate(reading);
    if (first === undefined) return null;
    failure = moreTelling(failure, first);
  }
  return failure ?? null;
}

/** A value of the right type that breaks another keyword tells more than one of the wrong type. */
function moreTelling(known: SchemaBreach | undefined, next: SchemaBreach): SchemaBreach {
  return known === undefined || (known.keyword === 'type' && next.keyword !== 'type') ? next : known;
}
