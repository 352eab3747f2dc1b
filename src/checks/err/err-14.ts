// ERR-14 (must): An error's body validates against the contract's error schema, under the media type that the contract
//   names. Tolerance: Bound by a contract file (problem details: RFC 9457).

import { type Breach, breached, cannotTell, type Judgement } from '../../contract/judgement.ts';
import { header, jsonBody } from '../../exchange/body.ts';
import { essence } from '../../exchange/media-type.ts';
import { oncePerValue } from '../../exchange/once-per.ts';
import { shortened, typeName } from '../../facts/answered.ts';
import { isObject, valueAt } from '../../openapi/json.ts';
import type { SchemaBreach, Validator } from '../../openapi/model/operation.ts';
import { References } from '../../openapi/read/references.ts';
import { Validators } from '../../openapi/validate/validators.ts';
import { err } from '../../wording/err.ts';
import type { ExchangeCheck, Subject } from '../check.ts';
import { withinBounds } from '../sch/within-bounds.ts';
import { FRONT_END, isOfFrontEnd } from './err-01.ts';
import { isErrorAnswer } from './error-object.ts';

/** Breaches of one exchange that are reported: the next run shows the next ones. */
const MOST_BREACHES = 10;

export const err14: ExchangeCheck = {
  clause: 'ERR-14',
  title: 'An error has the media type and the schema of the contract',
  applies: (subject) => isErrorAnswer(subject) && (subject.exchange.response?.bytes ?? 0) > 0,
  judge(subject) {
    const { mediaType = null, schema = null } = subject.terms.errors ?? {};
    if (isOfFrontEnd(subject)) return cannotTell('precondition', FRONT_END);
    const ofType = mediaType === null ? [] : typeBreaches(subject, mediaType);
    const body = jsonBody(subject.exchange);
    if (schema === null || !body.ok) return breached(body.ok ? ofType : [...ofType, notJson()]);
    const validate = validatorOf(schema);
    if (validate === null) return ofType.length > 0 ? breached(ofType) : cannotTell('precondition', UNCOMPILED);
    return withinBounds((): Judgement => breached([...ofType, ...schemaBreaches(body.value, validate(body.value))], 2));
  },
};

const UNCOMPILED = "the contract's schema of errors does not compile";

function typeBreaches({ exchange }: Subject, expected: string): readonly Breach[] {
  const value = header(exchange.response?.headers ?? [], 'content-type');
  if (value !== null && essence(value) === essence(expected)) return [];
  const actual = value === null ? 'absent' : shortened(value);
  return [{ weight: 'breach', ...err('err-14.media-type', { actual, expected }), expected, actual }];
}

function notJson(): Breach {
  const [actual, expected] = ['a body that is not JSON', 'a body that fits the schema of the contract'];
  return { weight: 'breach', ...err('err-14.not-json', { actual, expected }), expected, actual, pointer: '' };
}

function schemaBreaches(body: unknown, found: readonly SchemaBreach[]): readonly Breach[] {
  const byKind = new Map<string, Breach>();
  for (const { pointer, keyword, message, expected } of found) {
    const place = pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*');
    const value = valueAt(body, pointer);
    // Values of an error stay out: its messages may hold personal data.
    const actual = typeof value === 'number' ? String(value) : typeName(value);
    const told = err('err-14.breaks', { keyword, place, pointer, actual, problem: message }, keyword, place);
    if (byKind.size < MOST_BREACHES && !byKind.has(told.code))
      byKind.set(told.code, { weight: 'breach', ...told, expected, actual, pointer });
  }
  return [...byKind.values()];
}

/** The validator of the errors of a contract, made once; null where the schema cannot be compiled. */
const validatorOf = oncePerValue((schema: unknown): Validator | null => {
  if (!isObject(schema)) return null;
  const references = new References(schema, '3.1');
  const validators = new Validators({ references, report: () => {} });
  return validators.validator({ pointer: '', value: schema }, 'response');
});
