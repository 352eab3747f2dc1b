// REQ-03, REQ-04, REQ-08 and the probe's half of ERR-10 on the body of one operation: one thing wrong at a time.

import { judgeParamNamed } from '../../checks/req/req-01-to-08-answers.ts';
import type { Pieces } from '../../clock/pieces.ts';
import { cannotTell, type Weight } from '../../contract/judgement.ts';
import { envelopeOf, topField } from '../../exchange/envelope.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { bodyType, jsonBodyType } from '../../generate/bodies.ts';
import { encodedBody } from '../../generate/encodings.ts';
import { jsonTypeOf } from '../../generate/schema/form.ts';
import { isIndex, type Spoiler, type SpoilerKind } from '../../generate/spoiled-place.ts';
import { type Candidate, spoilerCandidates, withSecondItems } from '../../generate/spoilers.ts';
import { BODY, candidatesOf } from '../../generate/targets/candidates.ts';
import { Attempt, hasRoom, isTaken, supportsOf } from '../../generate/targets/choice.ts';
import { spoiledBeside } from '../../generate/targets/exercised.ts';
import { inputsOf } from '../../generate/targets/operation-inputs.ts';
import { sentInput } from '../../generate/targets/sent.ts';
import { isObject, valueAt, valueBelow } from '../../openapi/json.ts';
import { isReadBack } from '../../openapi/model/media-types.ts';
import { type MediaType, type Operation, type SchemaHandle, spotOf } from '../../openapi/model/operation.ts';
import { IN_VAIN, type Judge, outcome } from '../experiment.ts';
import type { Course, Experiment, Outcome } from '../probe.ts';
import { inOtherLanguage, planOf, recipeBody } from '../reach/recipe.ts';
import { drawFor, type Reached, type World } from '../world.ts';
import { besideControl } from './beside-control.ts';
import { judgeBadInput } from './judges.ts';

const KINDS: Readonly<Record<SpoilerKind, { clause: string; kind: string; accepted: Weight; rank: number }>> = {
  missing: { clause: 'REQ-03', kind: 'a missing required field', accepted: 'breach', rank: 40 },
  'wrong-type': { clause: 'REQ-04', kind: 'a field of the wrong type', accepted: 'breach', rank: 45 },
  'wrong-scalar': { clause: 'REQ-04', kind: 'a scalar of another type', accepted: 'advisory', rank: 46 },
  'null-optional': { clause: 'REQ-04', kind: 'null for an optional field', accepted: 'advisory', rank: 47 },
  constraint: { clause: 'REQ-08', kind: 'a value outside its constraints', accepted: 'advisory', rank: 50 },
};

/**
 * REQ-03, -04, -08: every spoiler of the body that the target was seen to serve, and of others beside it; the first of each kind in the lean pass.
 * One that is refused whatever it holds would tell nothing.
 */
export function* spoiledBodyExperiments(world: World, reached: Reached): Pieces<readonly Experiment[]> {
  const { operation, description, recipe } = reached;
  const media = spoilable(world, operation);
  if (media?.schema == null) return [];
  const isJsonBody = media === jsonBodyType(operation);
  const base = recipeBody(recipe, drawFor(world, 'spoil'));
  const found = spoilerCandidates(description, media.schema, base);
  const served = found.map(({ spoiler }) => spoiler);
  const bodies = { served: base, other: recipeBody(recipe, drawFor(world, 'spoil second')) };
  const { own, later } = isJsonBody ? inSecondItems(reached, media.schema, bodies, found) : { own: found, later: [] };
  yield;
  const unproven = isJsonBody
    ? [...later, ...(yield* unprovenSpoilers(world, reached, media.schema, base, served))]
    : [];
  const unprovenOf = new Map(unproven.map((one) => [one.candidate, one]));
  const candidates = [...own, ...unproven.map(({ candidate }) => candidate)];
  const first = yield* firstOfEachClause(
    own,
    (field) => isObject(base) && JSON.stringify(base[field] ?? null).includes(world.nonce),
  );
  const together = new Together(
    world,
    reached,
    own.filter((one) => first.has(one)),
  );
  // A body that is not one JSON text may show no trace of what was spoiled: in a form, a number is a sound text, too.
  const isSpoiled = spoiledBeside(inputsOf(description, operation), () =>
    planOf(recipe, '', drawFor(world, 'spoil'), { body: encodedBody(description, media, base) }),
  );
  const isStillBroken = ({ spoiler }: Candidate, index: number): boolean => {
    const plan = spoiledPlan(world, reached, [spoiler], { probe: '', index, unproven: undefined });
    if (KINDS[spoiler.kind].clause !== 'REQ-04' || !isSpoiled(plan)) return isSpoiled(plan);
    // Any text is one, and a file may hold anything: too long a text is of no other type.
    const read = valueBelow(sentInput(description, operation, plan).body, spoiler.path);
    return jsonTypeOf(read) !== jsonTypeOf(valueBelow(base, spoiler.path));
  };
  return candidates.map((candidate, index) => {
    const { spoiler } = candidate;
    const { clause, rank } = KINDS[spoiler.kind];
    const lean = first.has(candidate);
    const probe = `request/${spoiler.kind}${spoiler.pointer}`;
    return {
      probe,
      stage: lean ? 'lean' : 'depth',
      rank: lean ? rank : 30,
      clauses: spoiler.field === '' ? [clause] : [clause, 'ERR-10'],
      ...spotOf(operation),
      cost: 1,
      repeatable: true,
      stands: () =>
        candidate.isClean && !together.hasTold(candidate) && (isJsonBody || isStillBroken(candidate, index)),
      run: () => {
        const turn = { probe, index, unproven: unprovenOf.get(candidate) };
        return together.course(candidate, turn, () => spoiledCourse(world, reached, spoiler, turn));
      },
    };
  });
}

/**
 * The spoiler of each clause that is sent first. Of the members that the body itself requires it is the last that is missing, for the
 * first is what every check knows of; but none that names what is made: by that the rest of a refused body is found (LIFE-05).
 */
function* firstOfEachClause(
  candidates: readonly Candidate[],
  names: (field: string) => boolean,
): Pieces<ReadonlySet<Candidate>> {
  // Looking takes long where a schema has many alternatives: no more candidates are looked at than decide.
  const own = candidates.filter(
    ({ spoiler: { kind, path, field } }) => kind === 'missing' && path.length === 1 && !names(field),
  );
  const lacking = yield* firstClean(own.toReversed());
  const found = new Set<Candidate>();
  for (const all of Map.groupBy(candidates, ({ spoiler: { kind } }) => KINDS[kind].clause).values()) {
    const first = lacking !== null && all.includes(lacking) ? lacking : yield* firstClean(all);
    if (first !== null) found.add(first);
  }
  return found;
}

function* firstClean(candidates: readonly Candidate[]): Pieces<Candidate | null> {
  for (const one of candidates) {
    if (one.isClean) return one;
    yield;
  }
  return null;
}

/**
 * The spoilers of one operation that are sent first go into one body, each in a member of its own. Whatever the
 * answer names is told by it, and no breach is: what it does not name is spoiled by itself.
 */
class Together {
  readonly #world: World;
  readonly #reached: Reached;
  readonly #bundle: readonly Candidate[];
  readonly #told = new Set<Candidate>();

  constructor(world: World, reached: Reached, first: readonly Candidate[]) {
    this.#world = world;
    this.#reached = reached;
    const isSuited = world.contract === 'commerce' && reached.proof !== null;
    const byField = new Map(first.toReversed().map((one) => [one.spoiler.field, one]));
    byField.delete('');
    this.#bundle = isSuited ? [...byField.values()] : [];
  }

  /** Tells whether it was spoiled beside another one, and named. */
  hasTold(candidate: Candidate): boolean {
    return this.#told.has(candidate);
  }

  /** `alone`: the course of the spoiler by itself. */
  *course(candidate: Candidate, turn: SpoiledTurn, alone: () => Course): Course {
    const isFirst = this.#bundle.includes(candidate) && !this.#told.has(candidate);
    const bundle = isFirst ? this.#bundle.filter((one) => !this.#told.has(one)) : [];
    // Whoever looks again does so by itself.
    if (isFirst) this.#told.add(candidate);
    if (bundle.length < 2) return yield* alone();
    const spoilers = [candidate, ...bundle.filter((one) => one !== candidate)].map(({ spoiler }) => spoiler);
    const plan = spoiledPlan(this.#world, this.#reached, spoilers, turn);
    const { last } = yield plan;
    const outcomes: Outcome[] = [];
    for (const one of bundle) {
      const judged = namedOutcomes(this.#world, this.#reached, one.spoiler, { last, spoilers });
      if (judged.length > 0) this.#told.add(one);
      outcomes.push(...judged);
      if (one === candidate && judged.length === 0) outcomes.push(...(yield* alone()));
    }
    return outcomes;
  }
}

/** The outcomes that an answer to several spoilers gives for one of them which it names as it should; none where it does not. */
function namedOutcomes(
  world: World,
  reached: Reached,
  spoiler: Spoiler,
  { last, spoilers }: { readonly last: Exchange; readonly spoilers: readonly Spoiler[] },
): readonly Outcome[] {
  const { param = null, fields = [] } = envelopeOf(last, world.terms.errors) ?? {};
  const { field } = spoiler;
  const isNamed = fields.some((name) => topField(name) === field) && spoilers.some((one) => one.field === param);
  if (!isNamed) return [];
  const { 'ERR-10': named, ...others } = spoilerJudges(world, reached, spoiler);
  const judges = param === field && named !== undefined ? { ...others, 'ERR-10': named } : others;
  const judged = Object.entries(judges).map(([clause, judge]) => outcome(clause, last.plan, judge(last), [last]));
  return judged.every(({ judgement }) => judgement.kind === 'holds') ? judged : [];
}

/** The media type in which bodies are spoiled: JSON, and by a description alone forms and sequences, too. */
function spoilable({ contract }: World, operation: Operation): MediaType | null {
  const media = contract === 'openapi' ? bodyType(operation) : jsonBodyType(operation);
  return media !== null && (media === jsonBodyType(operation) || isReadBack(media)) ? media : null;
}

interface SpoiledTurn {
  readonly probe: string;
  readonly index: number;
  /** Absent: the unspoiled body is the recipe's own. */
  readonly unproven: Unproven | undefined;
}

function* spoiledCourse(world: World, reached: Reached, spoiler: Spoiler, turn: SpoiledTurn): Course {
  const { probe, index, unproven } = turn;
  const plan = spoiledPlan(world, reached, [spoiler], turn);
  const judges = spoilerJudges(world, reached, spoiler);
  const { last } = yield plan;
  const judged = Object.entries(judges).map(([clause, judge]) => outcome(clause, plan, judge(last), [last]));
  const isRefused =
    judged.some(({ judgement }) => judgement.kind === 'breached') && (last.response?.status ?? 0) >= 400;
  if (unproven === undefined || !isRefused) return yield* besideControl(world, reached, last, judged);
  // The target may refuse the unspoiled body, too, for reasons of its own.
  const body = { kind: 'json', value: unproven.unspoiled } as const;
  const control = yield planOf(reached.recipe, `${probe}/unspoiled`, drawFor(world, `unspoiled${index}`), { body });
  if ((control.last.response?.status ?? 599) < 400) return judged;
  const reason = `answered ${last.response?.status}, and the same body without the fault is refused as well`;
  return judged.map((entry) => ({ ...entry, judgement: cannotTell('precondition', reason) }));
}

function spoilerJudges(world: World, reached: Reached, spoiler: Spoiler): Readonly<Record<string, Judge>> {
  const about = KINDS[spoiler.kind];
  const control = reached.proof !== null;
  const spoiled = {
    code: { clause: about.clause, name: spoiler.kind },
    ...{ kind: about.kind, what: spoiler.what, field: spoiler.field, accepted: about.accepted, control },
    // The platform's own contract speaks of fields at the top alone.
    ...(world.contract === 'commerce' ? {} : { path: spoiler.path }),
  };
  return {
    [about.clause]: (exchange) => judgeBadInput(world, exchange, spoiled),
    ...(spoiler.field === ''
      ? {}
      : { 'ERR-10': (exchange: Exchange) => judgeParamNamed(exchange, spoiled, { control }, world) }),
  };
}

/** The body with all of these in it, its other members made new so that no duplicate is what gets refused. Several are in members of their own. */
function spoiledPlan(
  world: World,
  reached: Reached,
  spoilers: readonly Spoiler[],
  { probe, index, unproven }: SpoiledTurn,
): ReturnType<typeof planOf> {
  const fields = spoilers.map(({ field }) => field);
  const spoiled = spoilers.slice(1).reduce((body, one) => withMemberOf(body, one), spoilers[0]?.body);
  const renewed = recipeBody(reached.recipe, drawFor(world, `s${index}`));
  const value = unproven?.isAlike === false ? spoiled : renew(spoiled, renewed, fields);
  const media = spoilable(world, reached.operation);
  const body = media === null ? ({ kind: 'json', value } as const) : encodedBody(reached.description, media, value);
  const plan = planOf(reached.recipe, probe, drawFor(world, 'spoil'), { body, ...IN_VAIN });
  return spoilers.some(({ kind }) => kind === 'wrong-type') ? inOtherLanguage(plan, reached.operation) : plan;
}

function renew(spoiled: unknown, renewed: unknown, fields: readonly string[]): unknown {
  if (!isObject(spoiled) || !isObject(renewed)) return spoiled;
  const members = Object.entries(spoiled).map(([key, value]) => [
    key,
    fields.includes(key) || !(key in renewed) ? value : renewed[key],
  ]);
  return Object.fromEntries(members);
}

/** The body with the spoiled member of another one like it. */
function withMemberOf(body: unknown, { body: spoiled, field }: Spoiler): unknown {
  if (!isObject(body) || !isObject(spoiled)) return body;
  const { [field]: _replaced, ...others } = body;
  return field in spoiled ? { ...others, [field]: spoiled[field] } : others;
}

// Valid bodies beside the one that the target was seen to serve. Each has a member, an item or a branch of a union that the served
// body lacks, so that input can be spoiled there, too.

/** A spoiler of a body that the target was not seen to serve, with that body. */
interface Unproven {
  readonly candidate: Candidate;
  readonly unspoiled: unknown;
  /** True where its other members are those of the served body, so that other values of the recipe may stand in their place. */
  readonly isAlike: boolean;
}

/** Bodies of one operation beside the served one. */
const MOST_BODIES = 40;

/**
 * Spoilers of places that the served body does not have. Each keyword is broken once at each place; what `known` holds is not
 * broken again.
 */
function* unprovenSpoilers(
  world: World,
  reached: Reached,
  schema: SchemaHandle,
  served: unknown,
  known: readonly Spoiler[],
): Pieces<readonly Unproven[]> {
  const seen = new Set(known.map(brokenBy));
  const found: Unproven[] = [];
  for (const { body, path } of yield* furtherBodies(world, reached, served)) {
    for (const candidate of spoilerCandidates(reached.description, schema, body, path)) {
      const key = brokenBy(candidate.spoiler);
      if (seen.has(key)) continue;
      seen.add(key);
      found.push({ candidate, unspoiled: body, isAlike: path.length > 0 });
    }
    yield;
  }
  return found;
}

interface InItems {
  /** The spoilers of the served body that are sent in it: in each list the first of each kind, and all outside of lists. */
  readonly own: readonly Candidate[];
  /** The others in lists, each in an item that has another one before it. */
  readonly later: readonly Unproven[];
}

/**
 * Has most spoilers of list items in a second item: whoever checks it checks the first one, too, and not the other way round. `other`: a body
 * like the served one, with other texts.
 */
function inSecondItems(
  { description }: Reached,
  schema: SchemaHandle,
  { served, other }: { readonly served: unknown; readonly other: unknown },
  own: readonly Candidate[],
): InItems {
  if (!own.some(({ spoiler }) => spoiler.path.some(isIndex))) return { own, later: [] };
  const longer = withSecondItems(description, schema, served, other);
  const later = spoilerCandidates(description, schema, longer, [], 'last').filter(({ spoiler: { path } }) =>
    path.some((token) => isIndex(token) && token !== '0'),
  );
  const moved = new Set(later.map(({ spoiler }) => anywhere(spoiler)));
  const seen = new Set<string>();
  const isFirst = ({ path, kind }: Spoiler): boolean => {
    const list = `${kind} ${path.slice(0, path.findLastIndex(isIndex)).join('/')}`;
    const isNew = !seen.has(list);
    seen.add(list);
    return isNew;
  };
  return {
    own: own.filter(({ spoiler }) => !spoiler.path.some(isIndex) || isFirst(spoiler) || !moved.has(anywhere(spoiler))),
    later: later.map((candidate) => ({ candidate, unspoiled: longer, isAlike: true })),
  };
}

/** The place and the kind that a spoiler breaks, in whichever item. */
function anywhere({ path, kind, what }: Spoiler): string {
  const place = path.map((token) => (isIndex(token) ? '*' : token)).join('/');
  return `${kind} ${place} ${what.slice(path.join('.').length)}`;
}

/** The place and the rule that a spoiler breaks. */
function brokenBy({ pointer, kind, what, body }: Spoiler): string {
  if (kind === 'constraint') return `${pointer} ${what}`;
  // A text in place of a list or an object may be taken for one of one item: who refuses an object there need not refuse it.
  if (kind === 'wrong-type' && typeof valueAt(body, pointer) === 'string') return `${pointer} text`;
  return `${pointer} ${kind === 'missing' ? 'required' : 'type'}`;
}

interface FurtherBody {
  readonly body: unknown;
  /** The tokens of the place that the served body lacks. */
  readonly path: readonly string[];
}

/** The bodies, each made from the served one or from one made before it, the outer places before the inner. */
function* furtherBodies(
  world: World,
  { description, operation, recipe }: Reached,
  served: unknown,
): Pieces<readonly FurtherBody[]> {
  const inputs = inputsOf(description, operation);
  const draw = drawFor(world, 'spoil');
  const full = recipeBody({ ...recipe, fullness: 'full' }, draw);
  const candidates = candidatesOf(inputs)
    .filter(({ root }) => root === BODY)
    .toSorted((one, other) => one.path.length - other.path.length);
  const attempt = new Attempt(inputs, supportsOf(candidates), draw);
  const bodies: FurtherBody[] = [{ body: served, path: [] }];
  for (const candidate of candidates) {
    if (bodies.length > MOST_BODIES || attempt.effort.isSpent) break;
    if (candidate.target.kind !== 'present' && !candidate.isBranch) continue;
    // A body is spoiled at its own place and below alone, whatever else it holds.
    const above = bodies.filter(({ path }) => path.every((token, at) => candidate.path[at] === token));
    if (above.some(({ body }) => isTaken(new Map([[BODY, body]]), candidate))) continue;
    yield;
    // A body that differs little from the served one is the likeliest to be served itself.
    for (const values of [...bodies.map(({ body }) => body), full].map((body) => new Map([[BODY, body]]))) {
      const found = hasRoom(values, candidate) ? attempt.put(values, candidate, []) : null;
      if (found === null) continue;
      bodies.push({ body: found.get(BODY), path: candidate.path });
      break;
    }
  }
  return bodies.slice(1);
}
