// SPEC-10 (must): The documented operations are described as the contract says: parameters of the query with their
//   types, required members of the body, bodies JSON. Tolerance: Only for operations that the description contains;
//   those it lacks are listed under SPEC-09.
import { codeOf } from '../../contract/code.ts';
import { type Breach, breached, toldBreach } from '../../contract/judgement.ts';
import type { DocumentedTerms } from '../../contract/terms.ts';
import { shapeOf, typesOf } from '../../generate/schema-shape.ts';
import { appended, isObject } from '../../openapi/json.ts';
import type { Description, MediaType, Operation } from '../../openapi/model/operation.ts';
import { isJson } from '../../openapi/model/responses.ts';
import type { DescriptionCheck } from '../check.ts';
import { describedAs } from './documented-operations.ts';

export const spec10: DescriptionCheck = {
  clause: 'SPEC-10',
  title: 'The operations that the source shows are described as it says',
  judge: (description, { terms }) =>
    Object.values(terms.services)
      .flatMap(({ documented: shown }) => shown)
      .flatMap((documented) => {
        const operation = describedAs(documented.operation, description);
        if (operation === undefined) return [];
        const aspects = [
          ...Object.entries(documented.query).map(([name, type]) =>
            parameterBreaches(name, type, operation, description),
          ),
          ...bodyAspects(documented, operation, description),
          ...responseAspects(operation),
        ];
        if (aspects.length === 0) return [];
        return [{ operation: operation.key, judgement: breached(aspects.flat(), aspects.length) }];
      }),
};

const NUMBERS = ['integer', 'number'];

function parameterBreaches(
  name: string,
  type: 'string' | 'number' | 'any',
  operation: Operation,
  description: Description,
): Breach[] {
  const code = codeOf('SPEC-10', 'parameter', name, type);
  const subject = `the query parameter ${name}`;
  const pointer = appended(operation.pointer, 'parameters');
  const expected = type === 'any' ? 'declared' : type === 'string' ? 'a string' : 'a number (integer or number)';
  const declared = operation.parameters.find((parameter) => parameter.in === 'query' && parameter.name === name);
  if (declared === undefined) return [breachOf(code, subject, expected, 'not declared', pointer)];
  if (type === 'any') return [];
  const types = describedTypes(description, declared.schema?.value ?? {});
  if (isOnly(types, type === 'string' ? ['string'] : NUMBERS)) return [];
  return [breachOf(code, subject, expected, inWords(types), pointer)];
}

/** One list of breaches for each thing that the source says of the request body. */
function bodyAspects(
  documented: DocumentedTerms,
  { requestBody, pointer }: Operation,
  description: Description,
): Breach[][] {
  const place = appended(pointer, 'requestBody');
  if (documented.body === 'none' || (documented.body === 'optional' && requestBody === null)) return [];
  const media = requestBody?.content.find(({ mediaType }) => acceptsJson(mediaType));
  if (media === undefined) {
    const types = requestBody?.content.map(({ mediaType }) => mediaType).join(', ');
    const actual = types === undefined ? 'not declared' : types || 'no media type';
    return [[breachOf('spec-10.request-not-json', 'the request body', 'JSON', actual, place)]];
  }
  return [[], ...documented.requiredStrings.map((name) => memberBreaches(name, media, description, place))];
}

function memberBreaches(name: string, media: MediaType, description: Description, pointer: string): Breach[] {
  return breachesIn(name, media.schema?.value ?? {}, description, pointer, 0);
}

/** Maximum number of alternatives within alternatives that are followed. */
const DEPTH = 8;

/** A member that is described in each alternative of the schema alone is described. */
function breachesIn(name: string, schema: unknown, description: Description, pointer: string, depth: number): Breach[] {
  const shape = shapeOf(description, schema);
  const alternatives = shape.oneOf ?? shape.anyOf;
  const isBelow = !isObject(shape.properties) || !Object.hasOwn(shape.properties, name);
  if (isBelow && Array.isArray(alternatives) && alternatives.length > 0 && depth < DEPTH) {
    const required = Array.isArray(shape.required) ? shape.required : [];
    const told = alternatives.map((one: unknown) => {
      const joined = { allOf: [one, { required }] };
      return breachesIn(name, joined, description, pointer, depth + 1);
    });
    return told.find((breaches) => breaches.length > 0) ?? [];
  }
  const properties = isObject(shape.properties) ? shape.properties : {};
  const code = codeOf('SPEC-10', 'member', name);
  const subject = `the body member ${name}`;
  const expected = 'a required string';
  if (!Object.hasOwn(properties, name)) return [breachOf(code, subject, expected, 'not described', pointer)];
  const types = describedTypes(description, properties[name]);
  if (!isOnly(types, ['string'])) return [breachOf(code, subject, expected, inWords(types), pointer)];
  const isRequired = Array.isArray(shape.required) && shape.required.includes(name);
  return isRequired ? [] : [breachOf(code, subject, expected, 'optional', pointer)];
}

/** Successes that declare a body declare a JSON one: a list of breaches for each. */
function responseAspects({ responses, pointer }: Operation): Breach[][] {
  return responses
    .filter(({ status, content }) => /^2(\d\d|XX)$/i.test(status) && content.length > 0)
    .map(({ status, content }) => {
      const types = content.map(({ mediaType }) => mediaType);
      if (types.some(acceptsJson)) return [];
      const code = codeOf('SPEC-10', 'response-not-json', status);
      const place = appended(pointer, 'responses', status);
      return [breachOf(code, `the body of ${status}`, 'JSON', types.join(', '), place)];
    });
}

function acceptsJson(mediaType: string): boolean {
  return isJson(mediaType) || mediaType === '*/*' || mediaType === 'application/*';
}

function isOnly(types: ReadonlySet<string> | null, allowed: readonly string[]): boolean {
  return types !== null && types.size > 0 && [...types].every((type) => allowed.includes(type));
}

function inWords(types: ReadonlySet<string> | null): string {
  return types === null || types.size === 0 ? 'of no stated type' : [...types].join(' or ');
}

function breachOf(code: string, subject: string, expected: string, actual: string, pointer: string): Breach {
  const message = `${subject} is ${actual}, expected ${expected}`;
  return toldBreach([code, `${subject} is not ${expected}`], message, expected, actual, pointer);
}

/** The types that the schema admits as far as its keywords say, null aside; null when it leaves the type open. */
function describedTypes(description: Description, schema: unknown, depth = 0): ReadonlySet<string> | null {
  const shape = shapeOf(description, schema);
  const own = typesOf(shape);
  if (own.length > 0) return withoutNull(own);
  if (Array.isArray(shape.enum)) return withoutNull(shape.enum.map(typeOf));
  if (Object.hasOwn(shape, 'const')) return withoutNull([typeOf(shape.const)]);
  const alternatives = shape.anyOf ?? shape.oneOf;
  if (!Array.isArray(alternatives) || depth > DEPTH) return null;
  const types = alternatives.map((alternative) => describedTypes(description, alternative, depth + 1));
  return types.includes(null) ? null : new Set(types.flatMap((set) => [...(set ?? [])]));
}

function withoutNull(types: readonly string[]): ReadonlySet<string> {
  return new Set(types.filter((type) => type !== 'null'));
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
