// Calls that tell by a word at the end of their path what they do, and name in the body or the query the one thing that they do it to
// (POST /books.delete {id}, GET /books/get?id=7), as others name it in the path (DELETE /books/7).

import type { RequestPlan } from '../../exchange/exchange.ts';
import { isSafe } from '../../exchange/methods.ts';
import { oncePer } from '../../exchange/once-per.ts';
import { isIdValue } from '../../facts/items.ts';
import { nounAt, singular } from '../../facts/nouns.ts';
import { collectionOfMaking, subjectOf } from '../../facts/path-words.ts';
import { partedPath, trimmed, valuesOf } from '../../facts/paths.ts';
import { sentMembers } from '../../facts/sent-members.ts';
import { bodyType, isValid } from '../../generate/bodies.ts';
import { encodedBody } from '../../generate/encodings.ts';
import { shapeOf } from '../../generate/schema-shape.ts';
import { normal } from '../../openapi/json.ts';
import type { Catalogue, Described } from '../../openapi/model/catalogue.ts';
import { queryText, type Recipe } from './recipe.ts';

interface WordCall {
  readonly described: Described;
  readonly deed: 'shows' | 'removes';
  /** The template of the path of the collection. */
  readonly collection: string;
  /** The rest of the path, with the word. */
  readonly ending: string;
  /** Where the id stands. */
  readonly place: 'body' | 'query';
  readonly member: string;
}

/** The operation as such a call; null where it is none, acts on several things, or asks for more than an id, or a list of ids. */
export function wordCallOf(described: Described): WordCall | null {
  const { method, path } = described.operation;
  const { collection, isOfOne, word } = subjectOf(path);
  const deed = word?.deed;
  if (word === null || isOfOne || word.before === '' || word.isOfMany || word.object !== '') return null;
  if (deed !== 'removes' && deed !== 'shows') return null;
  const [asked, ...others] = askedBy(described);
  const isForId = asked !== undefined && others.length === 0 && isNameOfId(asked.member, nounAt(collection));
  if (!isForId || (deed === 'removes' && isSafe(method))) return null;
  return { described, deed, collection, ending: path.slice(collection.length), ...asked };
}

/** Everything that must be in the query and in the body. */
function askedBy({ operation, description }: Described): readonly Pick<WordCall, 'place' | 'member'>[] {
  const { required = [] } = shapeOf(description, bodyType(operation)?.schema?.value);
  const inQuery = operation.parameters.filter((one) => one.in === 'query' && one.required);
  return [
    ...inQuery.map(({ name }) => ({ place: 'query' as const, member: name })),
    ...(Array.isArray(required) ? required : []).map((name) => ({ place: 'body' as const, member: String(name) })),
  ];
}

/** Tells whether the name is one of an id of the noun, or of several: id, book_id, bookIds. */
export function isNameOfId(name: string, noun: string): boolean {
  const stem = normal(name).replace(/(uu)?ids?$/, '');
  return stem !== normal(name) && (stem === '' || singular(stem) === noun);
}

const wordCallsOf = oncePer(({ operations }: Catalogue) => operations.flatMap((one) => wordCallOf(one) ?? []));

/** The operation that does this by a word to the thing at a concrete path, which may lie below the call that made it; null for none. */
export function wordCallAt(catalogue: Catalogue, deed: WordCall['deed'], path: string): Described | null {
  const place = collectionAt(path);
  const found = wordCallsOf(catalogue).find(
    ({ described, ending, ...call }) =>
      call.deed === deed && catalogue.match(described.operation.method, `${place}${ending}`) === described,
  );
  return found?.described ?? null;
}

/** The concrete path of the collection of a thing: /books for /books/7 and, where POST /books.create made it, for /books.create/7. */
function collectionAt(path: string): string {
  const [place] = partedPath(path);
  return collectionOfMaking(place) ?? place;
}

/** The values of the parameters in the path of such a call for the thing at the path. */
export function placeValues({ collection }: WordCall, path: string): Readonly<Record<string, string>> {
  return valuesOf(collection, collectionAt(path));
}

/** The parts of a plan of such a call for the thing: its id in place of all that would be drawn. */
export function naming({ described, place, member }: WordCall, id: string, { query }: Recipe): Partial<RequestPlan> {
  const { operation, description } = described;
  const media = bodyType(operation);
  const others = query.filter(([name]) => name !== member);
  if (place === 'query' || media === null)
    return { query: queryText([...others, [member, id]]), body: { kind: 'none' }, makes: 'nothing' };
  const ids = /^\d{1,15}$/.test(id) ? [id, Number(id)] : [id];
  const bodies = [...ids, ...ids.map((one) => [one])].map((value) => ({ [member]: value }));
  const body = bodies.find((one) => isValid(description, media.schema, one)) ?? { [member]: id };
  return { body: encodedBody(description, media, body), makes: 'nothing' };
}

/** The ids that the plan, of such a call, names. */
export function idsNamedBy({ place, member }: WordCall, plan: RequestPlan): readonly string[] {
  if (place === 'query') return new URLSearchParams(plan.query).getAll(member);
  return [sentMembers({ plan })[member]].flat().filter(isIdValue).map(String);
}

/** Tells whether the plan, of such a call, names the thing at the path. */
export function isNamedBy(call: WordCall, plan: RequestPlan, path: string): boolean {
  const [, id] = partedPath(path);
  const { ending } = call;
  return idsNamedBy(call, plan).includes(id) && trimmed(`${collectionAt(path)}${ending}`) === trimmed(plan.path);
}
