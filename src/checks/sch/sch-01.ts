// SCH-01: a body validates against the schema declared for its operation, status and media type.
import { type Breach, breached, cannotTell, type Judgement } from '../../contract/judgement.ts';
import { jsonBody } from '../../exchange/body.ts';
import { valueAt } from '../../openapi/json.ts';
import type { SchemaBreach } from '../../openapi/operation.ts';
import { isError, shortened, typeName, wholeResponse } from '../answered.ts';
import type { ExchangeCheck, Subject } from '../check.ts';
import { declaredJson, isJsonText } from './declared.ts';
import { isLeftToEnvelope, reportedByEnvelope, showsEnvelopeOnSuccess } from './envelope-clauses.ts';
import { areNested, type Place, placesOf } from './pointers.ts';
import { withinStack } from './within-stack.ts';

/** Breaches of one exchange that are reported: the next run shows the next ones. */
const MOST_BREACHES = 10;

export const sch01: ExchangeCheck = {
  clause: 'SCH-01',
  title: 'The body validates against the declared schema',
  applies(subject) {
    const answer = declaredJson(subject);
    if (answer === null || showsEnvelopeOnSuccess(subject)) return false;
    return isJsonText(subject) ? answer.media.schema !== null : !isLeftToEnvelope(subject);
  },
  judge(subject) {
    const body = jsonBody(subject.exchange);
    if (!body.ok) return breached([notJson()]);
    const answer = declaredJson(subject);
    const schema = answer?.media.schema ?? null;
    if (answer === null || schema === null) return cannotTell('not-declared', 'no schema is declared');
    const validate = answer.description.validator(schema, 'response');
    if (validate === null) {
      return cannotTell(
        'precondition',
        `the schema at ${schema.pointer} in ${answer.description.file} does not compile`,
      );
    }
    const places = placesOf(body.value, schema, answer.description, subject.contract);
    return withinStack(() => judgeValue(body.value, validate(body.value), places, subject));
  },
};

function notJson(): Breach {
  const expected = 'a JSON body, as the content type says';
  const actual = 'a body that is not valid JSON';
  return {
    weight: 'breach',
    cause: 'the body is not valid JSON',
    message: `${actual}, expected ${expected}`,
    expected,
    actual,
    pointer: '',
  };
}

/** Members that an object excludes. */
const EXCLUDING = ['additionalProperties', 'unevaluatedProperties'];

function judgeValue(value: unknown, found: readonly SchemaBreach[], placeOf: Place, subject: Subject): Judgement {
  if (found.length === 0) return breached([]);
  const reported = reportedByEnvelope(subject);
  const inError = isError(wholeResponse(subject.exchange)?.status ?? 0);
  const byPlace = new Map<string, Breach>();
  for (const breach of found) {
    if (reported.some((pointer) => areNested(pointer, breach.pointer))) continue;
    // The object is at fault, whichever members it must not have.
    const excludes = EXCLUDING.includes(breach.keyword);
    const place = excludes ? placeOf(breach.pointer.replace(/\/[^/]*$/, ''), true) : placeOf(breach.pointer);
    const cause = `${place === '' ? 'the body' : place} breaks "${breach.keyword}" of its schema`;
    if (!byPlace.has(cause)) byPlace.set(cause, schemaBreach(breach, cause, valueAt(value, breach.pointer), inError));
    if (byPlace.size === MOST_BREACHES) break;
  }
  return breached([...byPlace.values()]);
}

function schemaBreach(
  { pointer, message, expected }: SchemaBreach,
  cause: string,
  value: unknown,
  inError: boolean,
): Breach {
  // Values of an error stay out: its messages may hold personal data.
  const actual = inError && typeof value !== 'number' ? typeName(value) : shortened(value);
  const place = pointer === '' ? 'the body' : pointer;
  return { weight: 'breach', cause, message: `${place} is ${actual}: ${message}`, expected, actual, pointer };
}
