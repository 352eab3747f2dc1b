// SCH-01 (must): A response body validates against the schema declared for its operation, status and media type.
//   Tolerance: 3.0 (nullable, exclusiveMinimum booleans) and 3.1 (JSON Schema 2020-12) dialects. Formats date-time,
//   date, email, uri, uuid, hostname, ipv4, ipv6 are asserted in both. `readOnly` properties may be in responses;
//   `writeOnly` ones must not be.
import { type Breach, breached, cannotTell, type Judgement } from '../../contract/judgement.ts';
import { exactBody, jsonBody } from '../../exchange/body.ts';
import { isStreamOfMessages } from '../../exchange/streams.ts';
import { isError, shortened, typeName, wholeResponse } from '../../facts/answered.ts';
import { asObject, tokensOf, valueAt } from '../../openapi/json.ts';
import type { Description, SchemaBreach, SchemaHandle } from '../../openapi/model/operation.ts';
import { firstTwins } from '../../openapi/validate/given.ts';
import { sch } from '../../wording/sch.ts';
import type { ExchangeCheck, Subject } from '../check.ts';
import {
  type DeclaredItems,
  type DeclaredText,
  declaredItems,
  declaredJson,
  declaredText,
  isJsonText,
} from './declared.ts';
import { isLeftToEnvelope, reportedByEnvelope, showsEnvelopeOnSuccess } from './envelope-clauses.ts';
import { areNested, type Place, placesOf } from './pointers.ts';
import { withinBounds } from './within-bounds.ts';

/** Breaches of one exchange that are reported: the next run shows the next ones. */
const MOST_BREACHES = 10;

export const sch01: ExchangeCheck = {
  clause: 'SCH-01',
  title: 'The body validates against the declared schema',
  applies(subject) {
    const answer = declaredJson(subject);
    if (declaredItems(subject) !== null) return true;
    if (showsEnvelopeOnSuccess(subject)) return false;
    if (answer === null) return declaredText(subject) !== null;
    return isJsonText(subject) ? answer.media.schema !== null : !isLeftToEnvelope(subject);
  },
  judge(subject) {
    const sequence = declaredItems(subject);
    if (sequence !== null) return judgeItems(subject, sequence);
    const text = declaredText(subject);
    if (text !== null) return judgeText(subject, text);
    const body = jsonBody(subject.exchange);
    const answer = declaredJson(subject);
    const schema = answer?.media.schema ?? null;
    if (!body.ok && isStreamOfMessages(schema?.value))
      return cannotTell('precondition', 'the body is the stream of messages that is declared');
    if (!body.ok) return breached([notJson(subject)]);
    if (answer === null || schema === null) return cannotTell('not-declared', 'no schema is declared');
    const validate = answer.description.validator(schema, 'response');
    if (validate === null) return uncompiled(schema, answer.description);
    const places = placesOf(body.value, schema, answer.description, subject.contract);
    return withinBounds(() => judgeValue(body.value, validate(body.value), places, subject));
  },
};

function uncompiled({ pointer }: SchemaHandle, { file }: Description): Judgement {
  return cannotTell('precondition', `the schema at ${pointer} in ${file} does not compile`);
}

/** Each item of a sequence by the schema that all of them have; where one stands in the sequence does not matter. */
function judgeItems(subject: Subject, { description, schema, items }: DeclaredItems): Judgement {
  const validate = description.validator(schema, 'response');
  if (validate === null) return uncompiled(schema, description);
  const values = items.map((item) => (item.ok ? item.value : null));
  if (items.some(({ ok }) => !ok)) return breached([notJson(subject)]);
  const list = { pointer: schema.pointer, value: { items: schema.value } };
  const places = placesOf(values, list, description, subject.contract);
  return withinBounds(() => {
    const found = values.flatMap((value, index) =>
      validate(value).map((breach) => ({ ...breach, pointer: `/${index}${breach.pointer}` })),
    );
    return judgeValue(values, found, places, subject);
  });
}

/** A text that is no JSON, as a value of its schema: a number, a boolean, or itself. */
function judgeText(subject: Subject, { description, media, response }: DeclaredText): Judgement {
  const validate = description.validator(media.schema, 'response');
  const isText = media.mediaType.startsWith('text/');
  const found =
    validate === null || !isText
      ? []
      : textReadings(response.body).map((value) => ({ value, breaches: validate(value) }));
  const isOfType = ({ breaches }: (typeof found)[number]): boolean =>
    !breaches.some(({ keyword, pointer }) => keyword === 'type' && pointer === '');
  const told = found.find(({ breaches }) => breaches.length === 0) ?? found.find(isOfType) ?? found.at(-1);
  const isScalar = SCALARS.includes(String(asObject(description.deref(media.schema.value)).type));
  if (told === undefined || (told.breaches.length > 0 && !isOfType(told) && !isScalar))
    return cannotTell('precondition', `a body of ${media.mediaType} is not judged by its schema`);
  return withinBounds(() => judgeValue(told.value, told.breaches, (pointer) => pointer, subject));
}

const SCALARS = ['string', 'integer', 'number', 'boolean'];

/** The likeliest first; the end of a line does not count. */
function textReadings(text: string): readonly unknown[] {
  const plain = text.replace(/\r?\n$/, '');
  const scalars = /^(-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?|true|false|null)$/.test(plain.trim())
    ? [JSON.parse(plain)]
    : [];
  return [...scalars, ...(plain === text ? [] : [plain]), text];
}

const NO_JSON = { charset: 'not in UTF-8', coding: 'not coded as its Content-Encoding says', text: 'not valid JSON' };

function notJson({ exchange: { response } }: Subject): Breach {
  const expected = 'a JSON body, as the content type says';
  const actual = `a body that is ${NO_JSON[response?.garbled ?? 'text']}`;
  return {
    weight: 'breach',
    ...sch('sch-01.not-json', { actual, expected }),
    expected,
    actual,
    pointer: '',
  };
}

/** An object that lacks so many required members is another one than the schema describes. */
const MEMBERS_OF_ANOTHER = 3;

/** Members that an object excludes. */
const EXCLUDING = ['additionalProperties', 'unevaluatedProperties'];

function judgeValue(value: unknown, found: readonly SchemaBreach[], placeOf: Place, subject: Subject): Judgement {
  if (found.length === 0) return breached([]);
  const reported = reportedByEnvelope(subject);
  const inError = isError(wholeResponse(subject.exchange)?.status ?? 0);
  const byPlace = new Map<string, Breach>();
  const further = new Set<string>();
  const valuesAt = ({ pointer }: SchemaBreach) => [valueAt(value, pointer), writtenAt(pointer, subject)] as const;
  const own = found.filter(
    (breach) =>
      !reported.some((pointer) => areNested(pointer, breach.pointer)) &&
      !isShownAsAccepted(breach, value, subject) &&
      !isOfRounding(breach, valuesAt(breach)),
  );
  for (const breach of otherObjectsOnce(own)) {
    const place = placeIn(breach, placeOf);
    const key = `${breach.keyword} ${place}`;
    if (byPlace.has(key)) continue;
    if (byPlace.size < MOST_BREACHES) byPlace.set(key, schemaBreach(breach, place, valuesAt(breach), inError));
    else further.add(key);
  }
  return breached(
    [...byPlace.values()].map((one, index) => (index + 1 < MOST_BREACHES ? one : withFurther(one, further.size))),
  );
}

/** The last breach that is told, with how many more the answer has. */
function withFurther(breach: Breach, count: number): Breach {
  return count === 0 ? breach : { ...breach, message: `${breach.message} (and ${count} more in this answer)` };
}

/** Keywords that speak of a value alone, not of what stands around it. */
const OF_VALUE: ReadonlySet<string> = new Set([
  ...['type', 'enum', 'const', 'format', 'pattern', 'minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'oneOf', 'anyOf'],
]);

/** Tells whether the value is one that this run sent as wrong input in a member of that name, and the target accepted. */
function isShownAsAccepted({ keyword, pointer }: SchemaBreach, body: unknown, { accepted }: Subject): boolean {
  if (accepted === undefined || !OF_VALUE.has(keyword)) return false;
  const name = tokensOf(pointer).findLast((token) => !/^\d*$/.test(token));
  return name !== undefined && accepted.has(name, valueAt(body, pointer));
}

/** The value as the answer writes it: integers beyond 2^53, which are rounded where they are validated, as text. */
function writtenAt(pointer: string, { exchange }: Subject): unknown {
  const exact = exactBody(exchange);
  return exact.ok ? valueAt(exact.value, pointer) : undefined;
}

/** Tells whether the breach is of rounding alone: items that differ, a value below its bound, or a multiple, as they are written. */
function isOfRounding({ keyword, expected }: SchemaBreach, [value, written]: readonly [unknown, unknown]): boolean {
  if (keyword === 'uniqueItems') return Array.isArray(written) && firstTwins(written) === null;
  if (typeof value !== 'number' || typeof written !== 'string') return false;
  // The bound of the description is rounded as well.
  if (keyword.startsWith('exclusive')) return expected.endsWith(` ${value}`);
  const step = keyword === 'multipleOf' ? Number(expected.split(' ').at(-1)) : 0;
  return Number.isSafeInteger(step) && step !== 0 && BigInt(written) % BigInt(step) === 0n;
}

/** The object is at fault, whichever members it must not have, and where it lacks so many. */
function placeIn({ keyword, pointer, lacks }: Lacking, placeOf: Place): string {
  if (EXCLUDING.includes(keyword)) return placeOf(parentOf(pointer), true);
  return placeOf(pointer, lacks === true);
}

function parentOf(pointer: string): string {
  return pointer.replace(/\/[^/]*$/, '');
}

interface Lacking extends SchemaBreach {
  /** Set where it stands for several members that the object at its pointer lacks. */
  readonly lacks?: true;
}

/** An object that lacks so many members is told as one that is not what was declared, not member by member. */
function otherObjectsOnce(found: readonly SchemaBreach[]): readonly Lacking[] {
  const absent = found.filter(({ keyword }) => keyword === 'required');
  if (absent.length < MEMBERS_OF_ANOTHER) return found;
  const byObject = Map.groupBy(absent, ({ pointer }) => parentOf(pointer));
  return found.flatMap((breach): Lacking[] => {
    const pointer = parentOf(breach.pointer);
    const alike = breach.keyword === 'required' ? (byObject.get(pointer) ?? []) : [];
    if (alike.length < MEMBERS_OF_ANOTHER) return [breach];
    if (alike[0] !== breach) return [];
    const names = alike.map((one) => one.pointer.slice(pointer.length + 1)).join(', ');
    return [
      { pointer, keyword: 'required', message: `it lacks ${names}`, expected: `an object with ${names}`, lacks: true },
    ];
  });
}

/** `place`: in the schema; the pointer leads into the body. */
function schemaBreach(
  { pointer, keyword, message, expected, wanted }: SchemaBreach,
  place: string,
  [value, written]: readonly [unknown, unknown],
  inError: boolean,
): Breach {
  const isRounded = typeof value === 'number' && typeof written === 'string';
  // Values of an error stay out: its messages may hold personal data.
  const actual = isRounded ? written : inError && typeof value !== 'number' ? typeName(value) : shortened(value);
  const problem = isRounded ? message.replace(` ${value},`, ` ${written},`) : message;
  const parts = [keyword, ...(place === '' ? [] : [place])];
  const told = sch('sch-01.breaks', { keyword, place, pointer, actual, problem }, ...parts);
  return { weight: 'breach', ...told, expected, ...(wanted === undefined ? {} : { wanted }), actual, pointer };
}
