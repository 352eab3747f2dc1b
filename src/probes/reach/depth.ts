// Makes the experiments of depth, for what a first look cannot see: the same call again and again (one answer in seven
// may differ), every page of a list, every object that a list shows, every value that a parameter admits. The passive
// checks judge; AUTH-05 sees to it that a key which was accepted stays accepted.

import { judgeKeyAccepted } from '../../checks/auth/auth-01-to-06-refusals.ts';
import { exactBody, header } from '../../exchange/body.ts';
import { answeredMs, type RequestPlan } from '../../exchange/exchange.ts';
import { oncePer } from '../../exchange/once-per.ts';
import { isSuccess } from '../../facts/answered.ts';
import { createdId } from '../../facts/created.ts';
import { collectionTemplate, fillPath, parameterNames } from '../../facts/paths.ts';
import type { AskedPage } from '../../facts/walked-list.ts';
import { listedValues } from '../../generate/identifiers.ts';
import { pairsOf, segmentText } from '../../generate/parameters.ts';
import { shapeOf } from '../../generate/schema-shape.ts';
import { fixesParameter } from '../../openapi/model/fixed-input.ts';
import { type Operation, spotOf } from '../../openapi/model/operation.ts';
import { declaredResponse } from '../../openapi/model/responses.ts';
import { outcome, single } from '../experiment.ts';
import type { Course, Experiment, Outcome } from '../probe.ts';
import { drawFor, mutates, type Reached, requiresToken, type World } from '../world.ts';
import type { Knowledge, KnownId } from './knowledge.ts';
import { note } from './noting.ts';
import { askingOf, firstTurn, type PageAsking, queryOfPage, unreadList } from './reading-lists.ts';
import { planOf, queryText, type Recipe } from './recipe.ts';
import { noteWhole } from './valid-inputs.ts';

const PAGES = 12;
const WALK_LIMITS = [100, 20] as const;
/** Most lists hold more items than this. */
const SMALL_PAGE = 5;
const VISITS = 30;
const VALUES_PER_PARAMETER = 8;

/** The experiment that calls an operation once more as it was called first. */
export const REPETITION = 'depth/repeat';

/** The recipe's own call once more, in the `round`-th repetition. */
export function repeatExperiment(world: World, reached: Reached, round: number): Experiment {
  const { operation, recipe } = reached;
  const key = recipe.credential.kind === 'key' ? recipe.credential.name : null;
  const plan = (): RequestPlan => planOf(recipe, REPETITION, drawFor(world, `r${round}`));
  function* run(): Course {
    const sent = plan();
    const { last } = yield sent;
    note(world, recipe, last);
    if (key === null || !requiresToken(operation)) return [];
    return [outcome('AUTH-05', sent, judgeKeyAccepted(last, key, world), [last])];
  }
  return {
    probe: REPETITION,
    stage: 'depth',
    rank: 5,
    clauses: ['AUTH-05'],
    ...spotOf(operation),
    cost: 1,
    run,
  };
}

/** The second page of a list, unless pages of it were turned before: a budget ends before most lists are walked. */
export function secondPageExperiments(world: World, reached: Reached): readonly Experiment[] {
  const asking = reached.proof === null ? null : sizedList(world, reached);
  const { turner = null } = asking?.paging ?? {};
  const first = asking && firstTurn(asking);
  if (asking === null || turner === null || first === null) return [];
  const place = { probe: 'depth/second-page', stage: 'depth', rank: 1 } as const;
  const turn = first + (turner.by === 'page' ? 1 : SMALL_PAGE);
  const query = queryOfPage(reached, asking, { limit: SMALL_PAGE, turn });
  const plan = (): RequestPlan => planOf(reached.recipe, place.probe, drawFor(world, 'second page'), { query });
  const one = single(reached, place, plan, {});
  const stands = (): boolean => !turned(world.knowledge).has(reached.operation);
  return [{ ...one, clauses: ['SCH-01'], stands }];
}

/** How the list is asked for; null for what is no list, or takes no size. */
function sizedList(world: World, reached: Reached): PageAsking | null {
  const asking = askingOf(reached, world);
  return asking?.paging.size == null ? null : asking;
}

/** Lists whose pages were turned, by run. */
const turned = oncePer((_: Knowledge) => new Set<Operation>());

/** Notes that pages of the list were turned: its second page is not asked for by itself. */
export function noteTurned({ knowledge }: World, { operation }: Reached): void {
  turned(knowledge).add(operation);
}

/** Every page of a list, large pages and small ones, so that every item is judged against its schema wherever it stands. */
export function walkExperiments(world: World, reached: Reached): readonly Experiment[] {
  const asking = reached.proof === null ? null : sizedList(world, reached);
  if (asking === null) return [];
  return WALK_LIMITS.map((limit) => ({
    probe: 'depth/walk',
    stage: 'depth',
    rank: 1,
    clauses: ['SCH-01'],
    ...spotOf(reached.operation),
    cost: 3,
    run: () => walkOf(world, reached, asking, limit),
  }));
}

function* walkOf(world: World, reached: Reached, asking: PageAsking, limit: number): Course {
  const { operation, recipe } = reached;
  const walked = unreadList(reached, asking, world, limit);
  let asked: AskedPage | null = { query: queryOfPage(reached, asking, { limit, turn: firstTurn(asking) }) };
  while (asked !== null && walked.links.length < PAGES && !walked.isEnded) {
    const { last } = yield planOf(recipe, 'depth/walk', drawFor(world, 'walk'), asked);
    const body = exactBody(last);
    if (walked.add(last) === null || !isSuccess(last.response?.status ?? 0) || !body.ok) break;
    const path = fillPath(operation.path, recipe.pathValues);
    world.knowledge.noteListed(path, body.value, {
      place: world.listPlace(operation.key),
      answeredMs: answeredMs(last),
    });
    asked = walked.asked;
  }
  return [];
}

/** Every object that the collection showed, read one by one. */
export function visitExperiment(world: World, reached: Reached): Experiment | null {
  const { operation, recipe, proof } = reached;
  const last = parameterNames(operation.path).at(-1);
  if (operation.method !== 'GET' || proof === null || last === undefined) return null;
  function* run(): Course {
    const collection = fillPath(collectionTemplate(operation.path, last ?? ''), recipe.pathValues);
    const ids = world.knowledge.idsAt(collection, last ?? '').slice(0, VISITS);
    for (const id of ids) {
      const object = world.knowledge.objectAt(collection, last ?? '', id.value);
      const address = world.knowledge.addressOf(operation, last ?? '', object, id.value);
      const values = { ...recipe.pathValues, [last ?? '']: address };
      yield planOf({ ...recipe, pathValues: values }, 'depth/visit', drawFor(world, 'visit'));
    }
    return [];
  }
  return {
    probe: 'depth/visit',
    stage: 'depth',
    rank: 2,
    clauses: ['SCH-01'],
    ...spotOf(operation),
    cost: 10,
    run,
  };
}

/** Parameters one at a time: those of the query, optional or not, and those of the path, with every value that is listed. */
export function parameterExperiments(world: World, reached: Reached): readonly Experiment[] {
  if (reached.operation.method !== 'GET' || reached.proof === null) return [];
  return [...inQuery(world, reached), ...inPath(world, reached)];
}

/** Calls with the values that the description lists for path parameters: they are no ids that a list would have shown. */
function inPath(world: World, reached: Reached): readonly Experiment[] {
  const { operation, recipe, description } = reached;
  return operation.parameters.flatMap((parameter) => {
    const { name, in: place, schema } = parameter;
    if (place !== 'path' || schema === null || fixesParameter(operation, name)) return [];
    const listed = listedValues(description, schema.value).map((value) => segmentText(parameter, value));
    const others = listed.filter((value) => value !== recipe.pathValues[name]);
    // Where there are many, the last is one of those that are tried.
    const tried = [...others.slice(-1), ...others.slice(0, -1)].slice(0, VALUES_PER_PARAMETER);
    return tried.map((value) => {
      const probe = `depth/parameter/${name}`;
      const changed = { ...recipe, pathValues: { ...recipe.pathValues, [name]: value } };
      const plan = (): RequestPlan => planOf(changed, probe, drawFor(world, 'parameter'));
      return single(reached, { probe, stage: 'depth', rank: 3 }, plan, {});
    });
  });
}

function inQuery(world: World, reached: Reached): readonly Experiment[] {
  const { operation, recipe, description } = reached;
  return operation.parameters
    .filter((parameter) => parameter.in === 'query' && !/^(limit|page|offset)$/.test(parameter.name))
    .flatMap((parameter) => {
      const shape = shapeOf(description, parameter.schema?.value);
      const values = [
        ...(Array.isArray(shape.enum) ? shape.enum : []),
        ...parameter.examples,
        ...(shape.type === 'boolean' ? [true, false] : []),
      ];
      return values.slice(0, VALUES_PER_PARAMETER).map((value) => {
        const query = queryText([
          ...recipe.query.filter(([name]) => name !== parameter.name),
          ...pairsOf(parameter, value),
        ]);
        const place = { probe: `depth/parameter/${parameter.name}`, stage: 'depth', rank: 3 } as const;
        return single(reached, place, () => planOf(recipe, place.probe, drawFor(world, 'parameter'), { query }), {});
      });
    });
}

/** Answers are made otherwise for those who ask for another type: so many of the further ones that a success may have. */
const OTHER_TYPES = 4;

/** Experiments on a read, or a POST that makes nothing with an id: it is asked for each further media type of its success. */
export function acceptExperiments(world: World, reached: Reached): readonly Experiment[] {
  const { operation, recipe, proof } = reached;
  const status = proof?.response?.status;
  if (proof === null || status === undefined) return [];
  // An object that a POST makes could not be deleted where the other type does not tell its id.
  const asks =
    operation.method === 'POST' && !world.isPayment(operation) && createdId(proof, '', operation.path) === null;
  if (operation.method !== 'GET' && !asks) return [];
  if (header(recipe.headers, 'accept') !== null) return [];
  const types = declaredResponse(operation, status)?.content.map(({ mediaType }) => mediaType) ?? [];
  return types
    .slice(1, 1 + OTHER_TYPES)
    .filter((type) => !type.includes('*'))
    .map((type) => {
      const probe = `depth/accept/${type}`;
      const asking: Recipe = { ...recipe, headers: [...recipe.headers, ['Accept', type]] };
      const plan = (): RequestPlan => planOf(asking, probe, drawFor(world, probe));
      return { ...single(reached, { probe, stage: 'depth', rank: 3 }, plan, {}), clauses: ['SCH-01', 'SCH-02'] };
    });
}

/** The operation with a full body, and with only what is required: other members make other answers. */
export function bodyExperiments(world: World, reached: Reached): readonly Experiment[] {
  const { operation, recipe, proof } = reached;
  if (!mutates(operation) || proof === null || operation.requestBody === null || operation.method === 'DELETE')
    return [];
  // The lists show more than enough of the objects that an earlier run made.
  const { knowledge } = world;
  const isLeft = ({ own, created }: KnownId): boolean => own && !created;
  if (world.lasts(operation) && knowledge.idsAt(fillPath(operation.path, recipe.pathValues), '').some(isLeft))
    return [];
  // Where little may be made the full body comes first: it shows more.
  const order = world.lasts(operation) ? (['full', 'required'] as const) : (['required', 'full'] as const);
  return order.map((fullness, index) => {
    const probe = `depth/body/${fullness}`;
    function* run(): Generator<RequestPlan, readonly Outcome[], { last: Parameters<typeof note>[2] }> {
      const { last } = yield planOf({ ...recipe, fullness }, probe, drawFor(world, fullness));
      note(world, recipe, last);
      if (fullness === 'full') noteWhole(recipe, last);
      return [];
    }
    return {
      probe,
      stage: 'depth',
      rank: world.lasts(operation) ? 4 + index / 2 : 4,
      clauses: ['SCH-01'],
      ...spotOf(operation),
      cost: 1,
      run,
    };
  });
}
