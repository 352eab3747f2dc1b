// Faults that spoil one place of the success bodies of one operation.

import type { Deviation, Surroundings } from '../deviation.ts';
import type { Answer, Call, Route } from '../http/call.ts';
import { exampleOf } from '../schema/example.ts';
import { type Place, placesIn } from './places.ts';
import { subject } from './subject.ts';

export interface Spoil {
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
export function spoiled(fault: Spoil): Deviation {
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
