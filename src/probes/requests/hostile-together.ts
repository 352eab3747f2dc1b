// REQ-09 where a budget bounds the run: many hostile values in one request. An answer below 500 clears all of them at once; where
// it fails, halves of them are sent until one value fails by itself.

import { judgeAnswered } from '../../checks/req/req-09-unanswered.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { parameterNames } from '../../facts/paths.ts';
import { bodyType, isValid, jsonBodyType } from '../../generate/bodies.ts';
import { encodedBody } from '../../generate/encodings.ts';
import {
  HOSTILE_HEADERS,
  HOSTILE_MEMBERS,
  HOSTILE_TEXTS,
  type Hostile,
  type HostileHeader,
  type HostileText,
  type HostileValue,
  HUGE_STRING,
  MALFORMED_HEADERS,
  REFUSED_HEADERS,
  withBytes,
} from '../../generate/hostile.ts';
import { isObject } from '../../openapi/json.ts';
import { type Operation, spotOf } from '../../openapi/model/operation.ts';
import { outcome } from '../experiment.ts';
import { type Answered, type Course, NotSent, type Outcome } from '../probe.ts';
import { pathOf, planOf, queryText, recipeBody } from '../reach/recipe.ts';
import { drawFor, mutates, type Reached, type World } from '../world.ts';

/** One hostile value, and where in a request it stands. */
export interface Part {
  readonly place: 'path' | 'query' | 'header' | 'body';
  readonly name: string;
  readonly kind: Hostile;
  readonly value: unknown;
}

/** The values that one request carries, each in a place of its own. */
export interface Bundle {
  readonly probe: string;
  readonly parts: readonly Part[];
  /** Bundles of the operation that come before it. */
  readonly round: number;
  readonly isHuge: boolean;
}

type Made = Pick<Bundle, 'probe' | 'parts'> & Partial<Pick<Bundle, 'isHuge'>>;

const PROBE = 'hostile/together';
const TOGETHER: Hostile = { code: 'together', name: 'several hostile values at once' };
/** The name of a query parameter where an operation has none, and of members beside those of a body. */
const UNKNOWN_NAME = 'assay';
/** Texts that any server reads in an id as small numbers, and with which it comes the further. */
const NUMBERS = ['negative-number', 'huge-integer'];
const IN_PATHS: readonly HostileText[] = [
  ...NUMBERS.flatMap((code) => HOSTILE_TEXTS.filter((one) => one.code === code)),
  ...HOSTILE_TEXTS.filter(({ code }) => !NUMBERS.includes(code)),
];

/**
 * The bundles of one operation, those first that hold most. `turn` rotates what stands where. `header`: the one that carries hostile texts
 * of what is refused anyway, or read.
 */
export function bundlesOf(world: World, reached: Reached, header: string, turn: number): readonly Bundle[] {
  const { operation } = reached;
  const bodies = jsonBodyType(operation) === null ? [] : inBody(world, reached, header, turn);
  const names = operation.parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name);
  const [last] = parameterNames(operation.path).toReversed();
  const isAction = bodies.length === 0 && last === undefined && !isHarmful(world, operation);
  const texts = inQuery(reached, header, turn);
  const queries = mutates(operation) ? texts.slice(0, isAction ? 1 : 0) : texts;
  const others = mutates(operation)
    ? []
    : [
        { probe: `${PROBE}/brackets`, parts: bracketed(names) },
        { probe: `${PROBE}/header`, parts: [malformedPart(at(REFUSED_HEADERS, turn))] },
      ];
  if (last === undefined) return ordered([...bodies, ...queries, ...others]);
  const ids = IN_PATHS.map((text, round): readonly Part[] => [
    partOf('path', last, text),
    ...headerParts(header, turn + round),
  ]);
  // A parameter that is not described is read by the server itself, whatever the id names.
  const isShared = names.length === 0;
  const paths = ids.map((parts, round) => ({
    probe: `${PROBE}/path/${round}`,
    parts: isShared && queries.length > 0 ? [...parts, ...unknownQuery(turn + round)] : parts,
  }));
  return ordered([...bodies, ...(isShared ? [] : queries), ...paths, ...others]);
}

function ordered(bundles: readonly Made[]): readonly Bundle[] {
  return bundles.map((bundle, round) => ({ isHuge: false, ...bundle, round }));
}

/** Places whose values are kinds of their own: how codes and words tell them. */
const APART: Readonly<Partial<Record<Part['place'], Hostile>>> = {
  path: { code: 'in-path', name: 'in the path' },
  header: { code: 'in-header', name: 'in a header' },
};

export function partOf(place: Part['place'], name: string, hostile: HostileText | HostileValue): Part {
  const apart = APART[place];
  const kind =
    apart === undefined ? hostile : { code: `${hostile.code}-${apart.code}`, name: `${hostile.name} ${apart.name}` };
  return { place, name, kind, value: 'text' in hostile ? hostile.text : hostile.value };
}

function at<T>(list: readonly T[], index: number): T {
  return list[index % list.length] as T;
}

/** A hostile text in the header, and beside it all that no server need refuse. */
function headerParts(header: string, turn: number): readonly Part[] {
  const isOwn = (one: HostileHeader): boolean => one.header.toLowerCase() === header.toLowerCase();
  const { own = [], others = [] } = Object.groupBy(MALFORMED_HEADERS, (one) => (isOwn(one) ? 'own' : 'others'));
  return [partOf('header', header, at([...own, ...HOSTILE_HEADERS], turn)), ...others.map(malformedPart)];
}

function malformedPart(kind: HostileHeader): Part {
  return { place: 'header', name: kind.header, kind, value: kind.text };
}

function unknownQuery(turn: number): readonly Part[] {
  return [partOf('query', UNKNOWN_NAME, at(HOSTILE_TEXTS, turn))];
}

/** Names that many frameworks read as objects: where a text is expected, and where nothing is. */
function bracketed(names: readonly string[]): readonly Part[] {
  const kind: Hostile = { code: 'bracketed-name', name: 'a parameter with a name in brackets' };
  return [...names.map((name) => `${name}[assay]`), 'assay[$ne]', '__proto__[assay]'].map((name) => ({
    ...{ place: 'query', name, kind, value: 'assay' },
  }));
}

/** Tells whether to be served once more takes something away, or leaves something behind. */
export function isHarmful(world: World, operation: Operation): boolean {
  return operation.method === 'DELETE' || world.lasts(operation) || world.isPayment(operation);
}

/** Each parameter holds another text. What is admitted goes apart from what is not: that would be refused before it is read. */
function inQuery({ operation, description }: Reached, header: string, turn: number): readonly Made[] {
  const described = operation.parameters.filter(({ in: place }) => place === 'query');
  return HOSTILE_TEXTS.flatMap((_text, round) => {
    const all =
      described.length === 0
        ? unknownQuery(turn + round)
        : described.map(({ name }, index) => partOf('query', name, at(HOSTILE_TEXTS, turn + round + index)));
    const isAdmitted = ({ name, value }: Part): boolean =>
      isValid(description, described.find((one) => one.name === name)?.schema ?? null, value);
    const { admitted = [], refused = [] } = Object.groupBy(all, (part) => (isAdmitted(part) ? 'admitted' : 'refused'));
    return [admitted, refused]
      .filter(({ length }) => length > 0)
      .map((parts, index) => ({
        probe: `${PROBE}/query/${round}${index === 0 ? '' : '/refused'}`,
        parts: [...parts, ...headerParts(header, turn + round)],
      }));
  });
}

/** Members that are tried by what is admitted. */
const MEMBER_LIMIT = 12;

/**
 * All kinds at once, those that no member is left for in members that are not described; in each member what the description admits
 * there, for it comes further; and what is too long to be sent with others.
 */
function inBody(world: World, reached: Reached, header: string, turn: number): readonly Made[] {
  const { description, operation, recipe } = reached;
  const schema = jsonBodyType(operation)?.schema ?? null;
  const base = recipeBody(recipe, drawFor(world, 'hostile'));
  const own = isObject(base) ? base : {};
  const fields = Object.keys(own).slice(0, MEMBER_LIMIT);
  const part = (name: string, value: HostileValue): Part => partOf('body', name, value);
  const every = HOSTILE_MEMBERS.map((_kind, index) =>
    part(fields[index] ?? `${UNKNOWN_NAME}${index}`, at(HOSTILE_MEMBERS, turn + index)),
  );
  const admitted = fields.flatMap((field, index) => {
    const turned = HOSTILE_MEMBERS.map((_kind, offset) => at(HOSTILE_MEMBERS, turn + index + offset));
    const found = turned.find(({ value }) => isValid(description, schema, { ...own, [field]: value }));
    return found === undefined ? [] : [part(field, found)];
  });
  const makesNothing = !isValid(description, schema, bodyWith(own, every));
  return [
    { probe: `${PROBE}/body`, parts: makesNothing ? [...every, ...headerParts(header, turn)] : every },
    ...(admitted.length === 0 || world.lasts(operation) ? [] : [{ probe: `${PROBE}/admitted`, parts: admitted }]),
    { probe: `${PROBE}/huge`, parts: [part(fields[0] ?? UNKNOWN_NAME, HUGE_STRING)], isHuge: true },
  ];
}

function bodyWith(base: Readonly<Record<string, unknown>>, parts: readonly Part[]): Record<string, unknown> {
  return { ...base, ...Object.fromEntries(parts.map(({ name, value }) => [name, value])) };
}

/** The recipe's request with all parts in it. `label`: of what is drawn beside them. */
export function planWith(
  world: World,
  { description, operation, recipe }: Reached,
  probe: string,
  parts: readonly Part[],
  label = `${probe} ${parts.map(({ kind }) => kind.code).join(' ')}`,
): RequestPlan {
  const { path = [], query = [], header = [], body = [] } = Object.groupBy(parts, ({ place }) => place);
  const names = (of: readonly Part[]): ReadonlySet<string> => new Set(of.map(({ name }) => name.toLowerCase()));
  const pairs = (of: readonly Part[]) => of.map(({ name, value }) => [name, String(value)] as const);
  const others = (all: readonly (readonly [string, string])[], of: readonly Part[]) =>
    all.filter(([name]) => !names(of).has(name.toLowerCase()));
  const fresh = body.length === 0 ? undefined : recipeBody(recipe, drawFor(world, label));
  const value = bodyWith(isObject(fresh) ? fresh : {}, body);
  const media = body.length === 0 ? null : bodyType(operation);
  const isRefused = media !== null && !isValid(description, media.schema, value);
  const plan = planOf(recipe, probe, drawFor(world, label), {
    intent: 'hostile',
    query: withBytes(queryText([...others(recipe.query, query), ...pairs(query)])),
    ...(media === null ? {} : { body: encodedBody(description, media, value) }),
    ...(isRefused || path.length > 0 ? { makes: 'nothing' as const } : {}),
  });
  const inPath = withBytes(pathOf(recipe, { ...recipe.pathValues, ...Object.fromEntries(pairs(path)) }));
  return {
    ...plan,
    ...(path.length === 0 ? {} : { path: inPath }),
    headers: [...others(plan.headers, header), ...pairs(header)],
  };
}

/**
 * The outcome of sends that held the value. Where no ordinary request was ever served, that one goes unanswered is not this input's doing; by
 * a description alone SCH-06 has every 5xx, whatever was sent.
 */
export function judgedAs(
  kind: Hostile,
  sends: readonly Exchange[],
  { contract, terms }: World,
  { operation, proof }: Reached,
): readonly Outcome[] {
  const isCommerce = contract === 'commerce';
  const blamed = isCommerce || proof !== null ? kind : null;
  const judgement = judgeAnswered(sends, operation, blamed, terms, isCommerce && proof !== null);
  return [outcome('REQ-09', spotOf(operation), judgement, sends)];
}

/**
 * One send; where it fails, halves of what it held, and the value that fails by itself twice more. What hangs is told at once: each further look
 * would take as long, and the run may end before the last one.
 */
export function* togetherCourse(world: World, reached: Reached, { probe, parts }: Bundle): Course {
  const first = planWith(world, reached, probe, parts);
  const { last } = yield first;
  if (!hasFailed(last) || hangs(last) || world.failsAnyway(last)) return judgedAs(TOGETHER, [last], world, reached);
  try {
    let open = parts;
    while (open.length > 1) {
      const half = open.slice(0, Math.ceil(open.length / 2));
      const answered = (yield { ...planWith(world, reached, probe, half), fresh: true }).last;
      open = hasFailed(answered) ? half : open.slice(half.length);
    }
    const [single] = open;
    const alone = yield* repeated(planWith(world, reached, probe, open), []);
    if (single !== undefined && alone.every(hasFailed)) return judgedAs(single.kind, alone, world, reached);
  } catch (error) {
    // A part of it may make something where the whole does not, and no more may be made.
    if (!(error instanceof NotSent)) throw error;
  }
  // None fails by itself.
  return judgedAs(TOGETHER, yield* repeated(first, [last]), world, reached);
}

/** Three sends with those before, on connections of their own: only what shows each time is the input's doing. One that hangs is enough. */
export function* repeated(
  plan: RequestPlan,
  before: readonly Exchange[],
): Generator<RequestPlan, readonly Exchange[], Answered> {
  const sends = [...before];
  while (sends.length < 3 && !sends.some(hangs)) sends.push((yield { ...plan, fresh: true }).last);
  return sends;
}

function hangs({ failure }: Exchange): boolean {
  return failure?.kind === 'timeout';
}

/** Tells whether there was no answer, or one of 500 and above. */
export function hasFailed({ response }: Exchange): boolean {
  return response === null || response.status >= 500;
}
