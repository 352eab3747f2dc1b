// Names the operations on one kind of item, and what is described of the bodies that they take and show.
import { bodyType } from '../generate/bodies.ts';
import type { Description, Operation } from '../openapi/model/operation.ts';
import { isJson } from '../openapi/model/responses.ts';
import type { DescribedMembers } from './members.ts';
import { parameterNames, trimmed } from './paths.ts';

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

/** The parameter that names what a create makes, where its sender chooses that: PUT /files/{name}. Null: the target gives ids. */
export function chosenName(kind: Kind): string | null {
  const path = itemPath(kind);
  const isChosen = path !== null && trimmed(path) === trimmed(kind.creator.path);
  return isChosen ? (parameterNames(path).at(-1) ?? null) : null;
}

/** Description of the bodies that the writer takes and the reader shows. */
export function describedMembers(
  description: Description,
  writer: Operation,
  { responses }: Pick<Operation, 'responses'>,
): DescribedMembers {
  const success = responses.find(({ status }) => status === '200') ?? responses.find(({ status }) => /^2/.test(status));
  const shown = success?.content.find(({ mediaType }) => isJson(mediaType))?.schema ?? null;
  return { description, sent: bodyType(writer)?.schema ?? null, shown };
}
