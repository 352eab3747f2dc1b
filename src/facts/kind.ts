// Names the operations on one kind of item, and what is described of the bodies that they take and show.

import type { Exchange } from '../exchange/exchange.ts';
import { oncePer } from '../exchange/once-per.ts';
import { bodyType } from '../generate/bodies.ts';
import type { JsonObject } from '../openapi/json.ts';
import type { Description, Operation } from '../openapi/model/operation.ts';
import { isJson } from '../openapi/model/responses.ts';
import type { DescribedMembers } from './members.ts';
import { parameterNames, trimmed } from './paths.ts';
import { sentMembers } from './sent-members.ts';
import { sentWithin, shownWithin } from './wrapper.ts';

/** The operations by what they do to an item. */
export const ROLES = ['creator', 'reader', 'lister', 'amender', 'replacer', 'remover'] as const;
export type Role = (typeof ROLES)[number];

/** The operations on one kind of item; null: none is described, or none was reached. */
export interface Kind extends Readonly<Record<Exclude<Role, 'creator'>, Operation | null>> {
  readonly description: Description;
  readonly creator: Operation;
}

/** The path that names one item, as the description has it; null where no operation takes one. */
export function itemPath({ reader, remover, amender, replacer }: Pick<Kind, Exclude<Role, 'creator'>>): string | null {
  return (reader ?? remover ?? amender ?? replacer)?.path ?? null;
}

/** Tells whether an operation writes at an item, or below it, whatever it is called: POST /things/{id} is often an update. */
export function isWrittenTo(kind: Kind): boolean {
  const item = trimmed(itemPath(kind) ?? kind.creator.path);
  return kind.description.operations.some(
    ({ method, path }) => /^(POST|PUT|PATCH)$/.test(method) && `${trimmed(path)}/`.startsWith(`${item}/`),
  );
}

/** The parameter that names what a create makes, where its sender chooses that: PUT /files/{name}. Null: the target gives ids. */
export function chosenName(kind: Kind): string | null {
  const path = itemPath(kind);
  const isChosen = path !== null && trimmed(path) === trimmed(kind.creator.path);
  return isChosen ? (parameterNames(path).at(-1) ?? null) : null;
}

const membersOf = oncePer((writer: Operation, description: Description) =>
  oncePer((responses: Operation['responses']) => membersIn(description, writer, responses)),
);

/** Description of the members that the writer takes and the reader shows. */
export function describedMembers(
  description: Description,
  writer: Operation,
  { responses }: Pick<Operation, 'responses'>,
): DescribedMembers {
  return membersOf(writer, description)(responses);
}

function membersIn(description: Description, writer: Operation, responses: Operation['responses']): DescribedMembers {
  const success = responses.find(({ status }) => status === '200') ?? responses.find(({ status }) => /^2/.test(status));
  const shown = success?.content.find(({ mediaType }) => isJson(mediaType))?.schema ?? null;
  const whole = bodyType(writer)?.schema ?? null;
  const sent = whole === null ? { sent: null, wrapper: [] } : sentWithin(description, writer.path, whole, shown);
  return { description, ...sent, shown: shown === null ? null : shownWithin(description, shown) };
}

/** The members of the item that a call of one of the operations has sent, without what wraps them. */
export function sentOf(kind: Kind, exchange: Exchange): JsonObject {
  const { service, operation } = exchange.plan;
  const by = ROLES.map((role) => kind[role]).find((one) => one?.key === operation && one.service === service) ?? null;
  return sentMembers(exchange, by === null ? [] : describedMembers(kind.description, by, kind.reader ?? by).wrapper);
}
