// SCH-01: success bodies that their schema does not allow, in one place of one operation.
import { defectNamed } from '../../defects/defect.ts';
import { type Place, placesOf, replaced } from '../../defects/schema-places.ts';
import { SCHEMA_DEFECTS } from '../../defects/schemas.ts';
import type { Deviation, Surroundings } from '../deviation.ts';
import type { Call, Route } from '../http/call.ts';
import { asObject, isObject } from '../json.ts';
import { exampleOf } from '../schema/example.ts';
import { flatten, typesOf } from '../schema/flatten.ts';
import { fault, on } from './fault.ts';
import { everyNth, isGuarded, isPlainRead, onSuccess, subject } from './subject.ts';

interface Spoil {
  readonly id: string;
  readonly description: string;
  /** The defect of the catalogue that it is. */
  readonly like: string;
  /** Which operations may show it. */
  readonly on: (route: Route) => boolean;
  /** Which places have it; absent: the first that can. */
  readonly at?: (place: Place) => boolean;
  /** Which of its answers are spoiled; asked once per success, made anew for each start. */
  readonly when?: () => (call: Call) => boolean;
}

/** A SCH-01 fault: on the last operation whose body has a place to spoil, the first such place is spoiled. */
function spoiled(fault: Spoil): Deviation {
  const { id, description } = fault;
  return {
    ...{ id, clause: 'SCH-01', description },
    hooks: (around: Surroundings) => {
      const route = subject(
        around,
        `an operation for "${description}"`,
        (one) => isSuccessWithBody(one) && fault.on(one) && spoiledBody(one, fault, exampleBody(one)) !== null,
      );
      const due = fault.when?.() ?? (() => true);
      return onSuccess(route, (call, answer) => {
        if (due(call)) answer.body = (spoiledBody(route, fault, answer.body) ?? { body: answer.body }).body;
      });
    },
  };
}

function isSuccessWithBody({ role }: Route): boolean {
  return role.success.mediaType !== null && role.success.status < 300;
}

/** A list's has as many items as its pages usually have. */
function exampleBody({ role, operation: { document } }: Route): unknown {
  const body = exampleOf(document, role.success.schema, 'subject');
  if (role.kind !== 'list') return body;
  const items = Array.from({ length: 20 }, (_, at) => exampleOf(document, role.shape.items, `subject ${at}`));
  return role.shape.member === null ? items : { ...asObject(body), [role.shape.member]: items };
}

/** The body with the fault; null where no place can have it. */
function spoiledBody(
  { operation, role }: Route,
  { like, at = always }: Spoil,
  body: unknown,
): { readonly body: unknown } | null {
  const defect = defectNamed(SCHEMA_DEFECTS, like);
  const { root } = operation.document;
  for (const place of placesOf((schema) => flatten(root, schema), role.success.schema, body)) {
    const broken = isIdentity(place) || !at(place) ? null : defect.broken(place);
    if (broken !== null) return { body: replaced(body, place.path, broken.value) };
  }
  return null;
}

/** Ids stay as they are: without them nothing else could be tested. */
function isIdentity({ path }: Place): boolean {
  const name = path.at(-1);
  return typeof name === 'string' && /^(id|sku)$|_id$|Id$/.test(name);
}

const isRead = (route: Route) => route.operation.method === 'GET' && isGuarded(route);
const isPaged = (route: Route) => route.role.kind === 'list' && route.role.paging === 'page';
const always = () => true;

function isPlainText({ schema, value }: Place): boolean {
  return (
    typeof value === 'string' && typesOf(schema).length === 1 && schema.enum === undefined && schema.const === undefined
  );
}

function isNoList({ value }: Place): boolean {
  return !Array.isArray(value);
}

/** An index at or beyond `least` somewhere on the way. */
function isBeyond({ path }: Place, least: number): boolean {
  return path.some((one) => typeof one === 'number' && one >= least);
}

export const BODY_FAULTS: readonly Deviation[] = [
  spoiled({
    ...{
      id: 'sch-01-required-missing',
      description: 'A required member is missing from the answers of one operation.',
    },
    ...{ like: 'sch-01-required-missing', on: isRead, at: isNoList },
  }),
  spoiled({
    ...{ id: 'sch-01-wrong-type', description: 'A string is a number in the answers of one operation.' },
    ...{ like: 'sch-01-wrong-type', on: always, at: isPlainText },
  }),
  spoiled({
    ...{ id: 'sch-01-outside-enum', description: 'A member has a value outside its enum.' },
    ...{ like: 'sch-01-outside-enum', on: isRead },
  }),
  spoiled({
    ...{ id: 'sch-01-bad-date-time', description: 'A date-time is no instant.' },
    ...{ like: 'sch-01-format', on: isRead, at: ({ schema }) => schema.format === 'date-time' },
  }),
  spoiled({
    ...{ id: 'sch-01-null', description: 'A member that is not nullable is null.' },
    ...{ like: 'sch-01-null', on: isRead, at: (place) => place.isRequired && isNoList(place) },
  }),
  spoiled({
    ...{
      id: 'sch-01-forbidden-member',
      description: 'An object has a member although its schema forbids further ones.',
    },
    ...{ like: 'sch-01-forbidden-member', on: isRead },
  }),
  spoiled({
    ...{ id: 'sch-01-out-of-range', description: 'A number is below its minimum.' },
    ...{ like: 'sch-01-out-of-range', on: isRead },
  }),
  spoiled({
    ...{ id: 'sch-01-sixth-item', description: 'Only from the sixth item of a list on, a member has the wrong type.' },
    ...{ like: 'sch-01-wrong-type', on: isPaged, at: (place) => isBeyond(place, 5) && isPlainText(place) },
  }),
  spoiled({
    ...{
      id: 'sch-01-second-page',
      description: 'Only from the second page of a list on, a required member is missing.',
    },
    ...{
      like: 'sch-01-required-missing',
      on: isPaged,
      at: (place) => isBeyond(place, 0) && isNoList(place),
      when: () => (call) => Number(call.query.page ?? 1) > 1,
    },
  }),
  spoiled({
    ...{ id: 'sch-01-nested', description: 'A member two levels down has the wrong type.' },
    ...{
      like: 'sch-01-wrong-type',
      on: isRead,
      at: (place) => place.path.filter((one) => typeof one === 'string').length > 1 && isPlainText(place),
    },
  }),
  spoiled({
    ...{
      id: 'sch-01-one-in-seven',
      description: 'One answer in seven of an operation has a member of the wrong type.',
    },
    ...{ like: 'sch-01-wrong-type', on: isPlainRead, at: isPlainText, when: () => everyNth(7) },
  }),
  spoiled({
    ...{ id: 'sch-01-created', description: 'Only the answer of a create operation lacks a required member.' },
    ...{ like: 'sch-01-required-missing', on: ({ role }) => role.kind === 'create', at: isNoList },
  }),
  spoiled({
    ...{ id: 'sch-01-updated', description: 'Only the answer of an update has a member of the wrong type.' },
    ...{ like: 'sch-01-wrong-type', on: ({ role }) => role.kind === 'item' && role.verb === 'amend', at: isPlainText },
  }),
  fault(
    'sch-01-write-only',
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
