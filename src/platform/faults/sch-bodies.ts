// SCH-01: success bodies that their schema does not allow, in one place of one operation.
import type { Deviation, Surroundings } from '../deviation.ts';
import type { Answer, Call, Route } from '../http/call.ts';
import { asArray, asObject, isObject } from '../json.ts';
import { exampleOf } from '../schema/example.ts';
import { flatten, typesOf } from '../schema/flatten.ts';
import { fault, on } from './fault.ts';
import { type Place, placesIn } from './places.ts';
import { everyNth, isGuarded, isPlainRead, onSuccess, subject } from './subject.ts';

interface Spoil {
  readonly id: string;
  readonly description: string;
  readonly alsoBreaks?: readonly string[];
  /** Which operations may show it. */
  readonly on: (route: Route) => boolean;
  /** Breaks the place if it can; tells whether it did. */
  readonly spoil: (place: Place) => boolean;
  /** Which of its answers are spoiled; asked once per success, made anew for each start. */
  readonly when?: () => (call: Call) => boolean;
}

/** A SCH-01 fault: on the last operation whose body has a place to spoil, the first such place is spoiled. */
function spoiled(fault: Spoil): Deviation {
  return {
    id: fault.id,
    clause: 'SCH-01',
    description: fault.description,
    ...(fault.alsoBreaks === undefined ? {} : { alsoBreaks: fault.alsoBreaks }),
    hooks: (around: Surroundings) => {
      const route = subject(
        around,
        `an operation for "${fault.description}"`,
        (one) => isSuccessWithBody(one) && fault.on(one) && canSpoil(one, fault),
      );
      const due = fault.when?.() ?? (() => true);
      return {
        answer: (call, answer) => {
          if (call.route === route && isSuccess(answer) && due(call)) spoilFirst(route, fault, answer);
          return answer;
        },
      };
    },
  };
}

function isSuccessWithBody({ role }: Route): boolean {
  return role.success.mediaType !== null && role.success.status < 300;
}

function isSuccess(answer: Answer): boolean {
  return answer.status < 300;
}

/** Tried on an example; a list's has as many items as its pages usually have. */
function canSpoil(route: Route, fault: Spoil): boolean {
  const { role, operation } = route;
  const body = exampleOf(operation.document, role.success.schema, 'subject');
  const items =
    role.kind === 'list'
      ? Array.from({ length: 20 }, (_, at) => exampleOf(operation.document, role.shape.items, `subject ${at}`))
      : [];
  const holder = {
    body: structuredClone(
      role.kind !== 'list'
        ? body
        : role.shape.member === null
          ? items
          : { ...(body as object), [role.shape.member]: items },
    ),
  };
  return spoilFirst(route, fault, holder);
}

function spoilFirst(route: Route, fault: Spoil, holder: { body: unknown }): boolean {
  const places = [...placesIn(route.operation.document, route.role.success.schema, holder)];
  return places.some((place) => !isIdentity(place) && fault.spoil(place));
}

/** Ids stay as they are: without them nothing else could be tested. */
function isIdentity({ path }: Place): boolean {
  const name = path.at(-1);
  return typeof name === 'string' && /^(id|sku)$|_id$|Id$/.test(name);
}

const isRead = (route: Route) => route.operation.method === 'GET' && isGuarded(route);
const isPaged = (route: Route) => route.role.kind === 'list' && route.role.paging === 'page';
const always = () => true;

function plainString({ schema, value }: Place): boolean {
  return (
    typeof value === 'string' && typesOf(schema).length === 1 && schema.enum === undefined && schema.const === undefined
  );
}

function wrongType(place: Place): boolean {
  if (!plainString(place)) return false;
  place.set(7);
  return true;
}

function outsideEnum(place: Place): boolean {
  if (!Array.isArray(place.schema.enum)) return false;
  place.set('not_one_of_them');
  return true;
}

function badInstant(place: Place): boolean {
  if (place.schema.format !== 'date-time') return false;
  place.set('2025-13-45 25:61');
  return true;
}

function isNullable({ schema }: Place): boolean {
  return schema.nullable === true || asArray(schema.type).includes('null') || typesOf(schema).length === 0;
}

function dropRequired(place: Place): boolean {
  if (!place.required || place.schema.writeOnly === true || Array.isArray(place.value)) return false;
  place.drop();
  return true;
}

/** An index at or beyond `least` somewhere on the way. */
function beyond({ path }: Place, least: number): boolean {
  return path.some((one) => typeof one === 'number' && one >= least);
}

export const BODY_FAULTS: readonly Deviation[] = [
  spoiled({
    id: 'sch-01-required-missing',
    description: 'A required member is missing from the answers of one operation.',
    on: isRead,
    spoil: dropRequired,
  }),
  spoiled({
    id: 'sch-01-wrong-type',
    description: 'A string is a number in the answers of one operation.',
    on: always,
    spoil: wrongType,
  }),
  spoiled({
    id: 'sch-01-outside-enum',
    description: 'A member has a value outside its enum.',
    on: isRead,
    spoil: outsideEnum,
  }),
  spoiled({ id: 'sch-01-bad-date-time', description: 'A date-time is no instant.', on: isRead, spoil: badInstant }),
  spoiled({
    id: 'sch-01-null',
    description: 'A member that is not nullable is null.',
    on: isRead,
    spoil: (place) => {
      if (!place.required || isNullable(place) || Array.isArray(place.value)) return false;
      place.set(null);
      return true;
    },
  }),
  spoiled({
    id: 'sch-01-forbidden-member',
    description: 'An object has a member although its schema forbids further ones.',
    on: isRead,
    spoil: ({ schema, value }) => {
      if (schema.additionalProperties !== false || !isObject(value)) return false;
      value.internal_note = 'x';
      return true;
    },
  }),
  spoiled({
    id: 'sch-01-out-of-range',
    description: 'A number is below its minimum.',
    on: isRead,
    spoil: (place) => {
      const { schema, value } = place;
      if (typeof value !== 'number' || typeof schema.minimum !== 'number') return false;
      place.set(schema.minimum - 1);
      return true;
    },
  }),
  spoiled({
    id: 'sch-01-sixth-item',
    description: 'Only from the sixth item of a list on, a member has the wrong type.',
    on: isPaged,
    spoil: (place) => beyond(place, 5) && wrongType(place),
  }),
  spoiled({
    id: 'sch-01-second-page',
    description: 'Only from the second page of a list on, a required member is missing.',
    on: isPaged,
    spoil: (place) => beyond(place, 0) && dropRequired(place),
    when: () => (call) => Number(call.query.page ?? 1) > 1,
  }),
  spoiled({
    id: 'sch-01-nested',
    description: 'A member two levels down has the wrong type.',
    on: isRead,
    spoil: (place) => place.path.filter((one) => typeof one === 'string').length > 1 && wrongType(place),
  }),
  spoiled({
    id: 'sch-01-one-in-seven',
    description: 'One answer in seven of an operation has a member of the wrong type.',
    on: isPlainRead,
    spoil: wrongType,
    when: () => everyNth(7),
  }),
  spoiled({
    id: 'sch-01-created',
    description: 'Only the answer of a create operation lacks a required member.',
    on: ({ role }) => role.kind === 'create',
    spoil: dropRequired,
  }),
  spoiled({
    id: 'sch-01-updated',
    description: 'Only the answer of an update has a member of the wrong type.',
    on: ({ role }) => role.kind === 'item' && role.verb === 'amend',
    spoil: wrongType,
  }),
  fault(
    'SCH-01',
    'write-only',
    'A writeOnly member of the request comes back in the answer.',
    on(
      'a create operation with a writeOnly member',
      (route) => route.role.kind === 'create' && secretOf(route) !== undefined,
      (route) =>
        onSuccess(route, (call, answer) => {
          const secret = secretOf(route) ?? '';
          if (isObject(answer.body)) answer.body[secret] = asObject(call.body)[secret] ?? 'changeit1';
        }),
    ),
  ),
];

/** A top-level member of the success schema that is writeOnly. */
function secretOf({ operation, role }: Route): string | undefined {
  const { root } = operation.document;
  const properties = asObject(flatten(root, role.success.schema).properties);
  return Object.keys(properties).find((member) => flatten(root, properties[member]).writeOnly === true);
}
