// Requests against what their operation declares: parameters and body, every failing field with its code.
import type { ErrorObject } from 'ajv/dist/2020.js';
import type { FieldFailure } from '../envelope.ts';
import type { Call, Route } from '../http/call.ts';
import { pagingFailures } from '../store/paging.ts';
import { judgeOf } from './compile.ts';
import { flatten, typesOf } from './flatten.ts';
import { bare, type ServedDocument, type ServedParameter } from './served.ts';

/** Everything that is wrong with the call; empty when nothing is. */
export function failuresOf(call: Call, route: Route): FieldFailure[] {
  const failures: FieldFailure[] = [];
  const { operation, role } = route;
  const paged = role.kind === 'list' ? pagingFailures(call.query, role.paging) : [];
  for (const parameter of operation.parameters) {
    if (parameter.in === 'cookie' || paged.some(({ field }) => field === parameter.name)) continue;
    failures.push(...parameterFailures(operation.document, parameter, rawValue(call, parameter)));
  }
  failures.push(...paged);
  const body = operation.body;
  if (body === null) return failures;
  if (call.body === undefined) {
    if (body.required) failures.push({ field: 'body', code: 'required', message: 'a body is required' });
    return failures;
  }
  const schema = Buffer.isBuffer(call.body) ? undefined : body.content.get(bare(call.headers['content-type'] ?? ''));
  if (schema !== undefined) failures.push(...bodyFailures(operation.document, schema, call.body));
  return failures;
}

function rawValue(call: Call, parameter: ServedParameter): unknown {
  if (parameter.in === 'path') return call.params[parameter.name];
  if (parameter.in === 'query') return call.query[parameter.name];
  return call.headers[parameter.name.toLowerCase()];
}

function parameterFailures(document: ServedDocument, parameter: ServedParameter, raw: unknown): FieldFailure[] {
  const { name, schema } = parameter;
  if (raw === undefined) {
    return parameter.required ? [{ field: name, code: 'required', message: `${name} is required` }] : [];
  }
  const flat = flatten(document.root, schema);
  const value =
    typesOf(flat)[0] === 'array' ? listValue(document, parameter, raw, flat.items) : scalarValue(typesOf(flat), raw);
  const failures = fieldFailures(judgeOf(document, schema, 'request')(value), name);
  if (failures.length === 0 && Array.isArray(raw) && !Array.isArray(value)) {
    return [{ field: name, code: 'invalid_type', message: `${name} is given more than once` }];
  }
  return failures;
}

function listValue(document: ServedDocument, parameter: ServedParameter, raw: unknown, items: unknown): unknown[] {
  const parts = Array.isArray(raw) ? raw : parameter.explode ? [raw] : String(raw).split(',');
  const types = typesOf(flatten(document.root, items));
  return parts.map((part) => scalarValue(types, part));
}

/** A parameter's text as the type its schema asks for; left as it is when it does not read as one. */
function scalarValue(types: readonly string[], raw: unknown): unknown {
  if (typeof raw !== 'string') return raw;
  if ((types.includes('integer') || types.includes('number')) && /^-?\d{1,15}(\.\d{1,15})?$/.test(raw))
    return Number(raw);
  if (types.includes('boolean') && (raw === 'true' || raw === 'false')) return raw === 'true';
  return raw;
}

function bodyFailures(document: ServedDocument, schema: unknown, body: unknown): FieldFailure[] {
  return fieldFailures(judgeOf(document, schema, 'request')(body), '');
}

const CODES: Readonly<Record<string, string>> = {
  required: 'required',
  dependentRequired: 'required',
  type: 'invalid_type',
  enum: 'invalid_enum_value',
  const: 'invalid_value',
  format: 'invalid_format',
  pattern: 'invalid_format',
  minLength: 'too_short',
  maxLength: 'too_long',
  minimum: 'too_small',
  exclusiveMinimum: 'too_small',
  maximum: 'too_large',
  exclusiveMaximum: 'too_large',
  multipleOf: 'not_a_multiple',
  minItems: 'too_few_items',
  maxItems: 'too_many_items',
  uniqueItems: 'duplicate_items',
  additionalProperties: 'unrecognized_field',
  unevaluatedProperties: 'unrecognized_field',
};

function fieldFailures(errors: readonly ErrorObject[], prefix: string): FieldFailure[] {
  const failures = new Map<string, FieldFailure>();
  for (const error of errors) {
    const field = fieldOf(error, prefix);
    const code = CODES[error.keyword] ?? 'invalid_value';
    failures.set(`${field} ${code}`, { field, code, message: `${field} ${error.message ?? 'is not accepted'}` });
  }
  return [...failures.values()];
}

function fieldOf(error: ErrorObject, prefix: string): string {
  const missing = error.params.missingProperty ?? error.params.additionalProperty ?? error.params.unevaluatedProperty;
  const segments = error.instancePath
    .split('/')
    .slice(1)
    .map((one) => one.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (typeof missing === 'string') segments.push(missing);
  let field = prefix;
  for (const segment of segments)
    field += /^\d+$/.test(segment) ? `[${segment}]` : `${field === '' ? '' : '.'}${segment}`;
  return field === '' ? 'body' : field;
}
