// SCH-06 on valid input alone: the operation serves what most callers send, and fails on a bound, a null, a branch or a length.

import type { Deviation, Hooks, Surroundings } from '../deviation.ts';
import type { Call, Route } from '../http/call.ts';
import { asArray, asObject, isObject, type JsonObject } from '../json.ts';
import { flatten } from '../schema/flatten.ts';
import { fault } from './fault.ts';
import { errorAnswer } from './sch-answers.ts';
import { subject } from './subject.ts';

/** Tells whether the input of a call, which the platform would serve, holds what the fault trips over. */
type Trips = (call: Call) => boolean;

/** The operation answers 500 in place of a success where its input trips it. */
function tripping(
  name: string,
  description: string,
  need: string,
  tripsOf: (route: Route, schemaOf: (schema: unknown) => JsonObject) => Trips | null,
): Deviation {
  const hooks = (around: Surroundings): Hooks => {
    const trips = (route: Route): Trips | null =>
      tripsOf(route, (schema) => flatten(route.operation.document.root, schema));
    const route = subject(around, need, (one) => trips(one) !== null);
    const isTripped = trips(route) ?? (() => false);
    const failure = { status: 500, headers: {}, body: undefined };
    return {
      act: (call, proceed) =>
        call.route === route && isTripped(call) ? errorAnswer(around, call, failure, 500, 'internal_error') : proceed(),
    };
  };
  return fault(`sch-06-${name}`, description, hooks, { alsoBreaks: ['REQ-09'] });
}

/** Tells whether a value of the member trips the fault, by what its schema says; null: the schema admits no such value. */
type Member = (schema: JsonObject) => ((value: unknown) => boolean) | null;

/** On the members of a JSON body. */
function inBody(name: string, description: string, need: string, member: Member): Deviation {
  return tripping(name, description, need, ({ operation }, schemaOf) => {
    const schema = operation.body?.content.get('application/json');
    const properties = schema === undefined ? [] : Object.entries(asObject(schemaOf(schema).properties));
    const tests = properties.flatMap(([property, inner]) => {
      const flat = schemaOf(inner);
      const trips = flat.readOnly === true ? null : member(flat);
      return trips === null ? [] : [[property, trips] as const];
    });
    const [first] = tests;
    if (first === undefined || isShared(operation.path)) return null;
    const [property, trips] = first;
    return ({ body }) => isObject(body) && Object.hasOwn(body, property) && trips(body[property]);
  });
}

/** Accounts are made once and never deleted. */
function isShared(path: string): boolean {
  return path.includes('/auth/');
}

function typesOf({ type }: JsonObject): readonly unknown[] {
  return Array.isArray(type) ? type : [type];
}

export const INPUT_FAULTS: readonly Deviation[] = [
  inBody(
    'at-minimum',
    'One operation answers 500 where a number is at its minimum.',
    'a number with a minimum',
    (one) =>
      typeof one.minimum === 'number' && one.exclusiveMinimum === undefined ? (value) => value === one.minimum : null,
  ),
  inBody(
    'at-maximum-length',
    'One operation answers 500 where a text is as long as may be.',
    'a text of bounded length',
    (one) => {
      const { maxLength } = one;
      return typeof maxLength === 'number' ? (value) => String(value).length === maxLength : null;
    },
  ),
  inBody('at-null', 'One operation answers 500 where a member is null.', 'a member that may be null', (one) =>
    one.nullable === true || typesOf(one).includes('null') ? (value) => value === null : null,
  ),
  inBody(
    'last-value',
    'One operation answers 500 to the last of the values that are listed.',
    'an enumeration',
    (one) => {
      const values = asArray(one.enum);
      return values.length > 1 ? (value) => value === values.at(-1) : null;
    },
  ),
  inBody('second-branch', 'One operation answers 500 to the second branch of a union.', 'a union', (one) => {
    const [, second] = asArray(one.oneOf).map(asObject);
    const wanted = second === undefined ? [] : asArray(second.required).map(String);
    return second === undefined ? null : (value) => isObject(value) && wanted.every((name) => name in value);
  }),
  inBody('twenty-items', 'One operation answers 500 to a list of twenty items.', 'a list of twenty items', (one) => {
    const isLong = typesOf(one).includes('array') && (typeof one.maxItems === 'number' ? one.maxItems : 20) >= 20;
    // Few listed values cannot make twenty that differ.
    return isLong && one.uniqueItems !== true ? (value) => Array.isArray(value) && value.length >= 20 : null;
  }),
  inBody(
    'astral-letters',
    'One operation answers 500 where a text has letters beyond the first 65,536.',
    'a text that may have any letters',
    (one) => {
      const isBound = ['pattern', 'format', 'enum', 'const'].some((keyword) => keyword in one);
      const isLong = typeof one.maxLength !== 'number' || one.maxLength >= 60;
      return typesOf(one).includes('string') && !isBound && isLong
        ? (value) => /[\u{10000}-\u{10ffff}]/u.test(String(value))
        : null;
    },
  ),
  tripping(
    'long-query',
    'One list answers 500 to a query of more than 300 characters.',
    'a list of texts in the query',
    ({ operation }, schemaOf) => {
      const isList = operation.parameters.some(
        (parameter) => parameter.in === 'query' && typesOf(schemaOf(parameter.schema)).includes('array'),
      );
      return operation.method === 'GET' && isList ? ({ url }) => url.length > 300 : null;
    },
  ),
];
