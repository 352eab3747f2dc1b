// REQ-02 to -06, REQ-08 and the probe's half of ERR-10, on one operation: one thing wrong at a time.
import { judgeParamNamed } from '../checks/req/answers.ts';
import { cannotTell, type Weight } from '../contract/judgement.ts';
import { EXPORT_OPERATION } from '../contract/platform.ts';
import type { Exchange, RequestPlan } from '../exchange/exchange.ts';
import { bodyType, jsonBodyType } from '../generate/bodies.ts';
import { encodedBody } from '../generate/encodings.ts';
import { unknownId } from '../generate/identifiers.ts';
import { isObject, shapeOf, typesOf } from '../generate/schema-shape.ts';
import type { Spoiler, SpoilerKind } from '../generate/spoiled-place.ts';
import { spoilersOf } from '../generate/spoilers.ts';
import type { MediaType, Operation } from '../openapi/operation.ts';
import { type Judge, outcome, single } from './experiment.ts';
import { unknownIdFor } from './harmless.ts';
import { judgesOf } from './judges.ts';
import { parameterNames } from './path-values.ts';
import type { Course, Experiment } from './probe.ts';
import { planOf, type Recipe, recipeBody } from './recipe.ts';
import { placementsOf } from './security.ts';
import { drawFor, mutates, type Reached, type World } from './world.ts';

const MALFORMED = ['{"assay": ', '{"assay": "open', '{assay: 1}', '[1, 2'] as const;

/** REQ-02: each path parameter in turn names nothing, the others what exists. */
export function unknownIdExperiments(world: World, reached: Reached): readonly Experiment[] {
  const { operation, recipe } = reached;
  const mayCreate =
    operation.method === 'PUT' && operation.responses.some(({ status }) => status === '201' || status === '2XX');
  const names = parameterNames(operation.path).toReversed();
  return names.flatMap((name, index) => {
    const unknown = unknownIdFor(world, reached, name);
    if (unknown.mayExist) return [];
    const control = reached.proof !== null;
    const about = {
      ...unknown,
      mayCreate,
      control,
      declares404: declares404(operation),
      where: `path parameter ${name}`,
    };
    const probe = `request/unknown-id/${name}`;
    const changed: Recipe = { ...recipe, pathValues: { ...recipe.pathValues, [name]: unknown.value } };
    return [
      single(
        reached,
        { probe, stage: index === 0 ? 'lean' : 'depth', rank: index === 0 ? 30 : 20 },
        () => planOf(changed, probe, drawFor(world, 'unknown')),
        { 'REQ-02': (exchange) => judgesOf(world).unknownId(exchange, about) },
      ),
    ];
  });
}

function declares404({ responses }: Operation): boolean {
  return responses.some(({ status }) => status === '404');
}

const REFERENCE = /(^id|_id|Id)$/;

/** REQ-02 in the body of an export request: a reference that names nothing. */
export function unknownReferenceExperiments(world: World, reached: Reached): readonly Experiment[] {
  const { operation, recipe, description } = reached;
  if (operation.key !== EXPORT_OPERATION) return [];
  const schema = jsonBodyType(operation)?.schema ?? null;
  const properties = schema === null ? {} : (shapeOf(description, schema.value).properties ?? {});
  const names = Object.keys(properties).filter((name) => REFERENCE.test(name));
  return names.flatMap((name, index) => {
    const handle = { pointer: '', value: (properties as Record<string, unknown>)[name] };
    const parameter = {
      name,
      in: 'path',
      required: true,
      schema: handle,
      style: 'simple',
      explode: false,
      examples: [],
    } as const;
    const unknown = unknownId(description, parameter, null, world.seed, `${operation.key} ${name}`);
    if (unknown.mayExist) return [];
    const isNumber = typesOf(shapeOf(description, handle.value)).some(
      (type) => type === 'integer' || type === 'number',
    );
    const value = isNumber ? Number(unknown.value) : unknown.value;
    const about = {
      wellFormed: unknown.wellFormed,
      mayCreate: false,
      control: reached.proof !== null,
      declares404: declares404(operation),
      where: `body field ${name}`,
    };
    const probe = `request/unknown-reference/${name}`;
    const place = { probe, stage: index === 0 ? 'lean' : 'depth', rank: 35 } as const;
    const plan = (): RequestPlan =>
      planOf({ ...recipe, additions: { ...recipe.additions, [name]: value } }, probe, drawFor(world, 'reference'));
    return [single(reached, place, plan, { 'REQ-02': (exchange) => judgesOf(world).unknownId(exchange, about) })];
  });
}

const KINDS: Readonly<Record<SpoilerKind, { clause: string; kind: string; accepted: Weight; rank: number }>> = {
  missing: { clause: 'REQ-03', kind: 'a missing required field', accepted: 'breach', rank: 40 },
  'wrong-type': { clause: 'REQ-04', kind: 'a field of the wrong type', accepted: 'breach', rank: 45 },
  'wrong-scalar': { clause: 'REQ-04', kind: 'a scalar of another type', accepted: 'advisory', rank: 46 },
  'null-optional': { clause: 'REQ-04', kind: 'null for an optional field', accepted: 'advisory', rank: 47 },
  constraint: { clause: 'REQ-08', kind: 'a value outside its constraints', accepted: 'advisory', rank: 50 },
};

/** REQ-03, -04, -08: every spoiler of the fullest valid body; the first of each kind in the lean pass. */
export function spoiledBodyExperiments(world: World, reached: Reached): readonly Experiment[] {
  const { operation, description, recipe } = reached;
  const media = spoilable(world, operation);
  if (media?.schema == null) return [];
  const isForm = media !== jsonBodyType(operation);
  const base = recipeBody(
    { ...recipe, fullness: recipe.fullness === 'example' ? 'example' : 'full' },
    drawFor(world, 'spoil'),
  );
  const seen = new Set<string>();
  // Whatever a form carries is text: only what is missing can be told.
  const spoilers = spoilersOf(description, media.schema, base).filter(({ kind }) => !isForm || kind === 'missing');
  return spoilers.map((spoiler, index) => {
    const { clause, rank } = KINDS[spoiler.kind];
    const first = !seen.has(clause);
    seen.add(clause);
    const probe = `request/${spoiler.kind}${spoiler.pointer}`;
    return {
      probe,
      stage: first ? 'lean' : 'depth',
      rank: first ? rank : 30,
      clauses: spoiler.field === '' ? [clause] : [clause, 'ERR-10'],
      service: operation.service,
      operation: operation.key,
      cost: 1,
      repeatable: true,
      run: () => spoiledCourse(world, reached, spoiler, { probe, index }),
    };
  });
}

/** The media type in which bodies are spoiled: JSON, and by a description alone forms, too. */
function spoilable({ contract }: World, operation: Operation): MediaType | null {
  const media = contract === 'openapi' ? bodyType(operation) : jsonBodyType(operation);
  return media !== null && (media === jsonBodyType(operation) || /form/.test(media.mediaType)) ? media : null;
}

/** Where the answer blames something else (409, 404, 403), the unspoiled call decides whether it would have succeeded now. */
function* spoiledCourse(
  world: World,
  reached: Reached,
  spoiler: Spoiler,
  { probe, index }: { readonly probe: string; readonly index: number },
): Course {
  const plan = spoiledPlan(world, reached, spoiler, probe, index);
  const judges = spoilerJudges(world, reached, spoiler);
  const { last } = yield plan;
  const judged = Object.entries(judges).map(([clause, judge]) => outcome(clause, plan, judge(last), [last]));
  const status = last.response?.status ?? 0;
  if (![403, 404, 409].includes(status) || !judged.some(({ judgement }) => judgement.kind === 'breached'))
    return judged;
  const control = yield planOf(reached.recipe, 'request/control', drawFor(world, `control ${plan.probe}`));
  if ((control.last.response?.status ?? 599) < 400) return judged;
  const reason = `answered ${status}, as the unspoiled request is`;
  return judged.map((entry) => ({ ...entry, judgement: cannotTell('precondition', reason) }));
}

function spoilerJudges(world: World, reached: Reached, spoiler: Spoiler): Readonly<Record<string, Judge>> {
  const about = KINDS[spoiler.kind];
  const control = reached.proof !== null;
  const spoiled = { kind: about.kind, what: spoiler.what, field: spoiler.field, accepted: about.accepted, control };
  return {
    [about.clause]: (exchange) => judgesOf(world).spoiled(exchange, spoiled),
    ...(spoiler.field === ''
      ? {}
      : { 'ERR-10': (exchange: Exchange) => judgeParamNamed(exchange, spoiler.field, control) }),
  };
}

/** The spoiled body, its other members made new so that no duplicate is what gets refused. */
function spoiledPlan(
  world: World,
  reached: Reached,
  spoiler: Spoiler,
  probe: string,
  index: number,
): ReturnType<typeof planOf> {
  const fresh = {
    ...reached.recipe,
    fullness: reached.recipe.fullness === 'example' ? ('example' as const) : ('full' as const),
  };
  const renewed = recipeBody(fresh, drawFor(world, `s${index}`));
  const value = renew(spoiler.body, renewed, spoiler.field);
  const media = spoilable(world, reached.operation);
  const body = media === null ? ({ kind: 'json', value } as const) : encodedBody(reached.description, media, value);
  return planOf(reached.recipe, probe, drawFor(world, 'spoil'), { body });
}

function renew(spoiled: unknown, renewed: unknown, field: string): unknown {
  if (!isObject(spoiled) || !isObject(renewed)) return spoiled;
  const members = Object.entries(spoiled).map(([key, value]) => [
    key,
    key === field || !(key in renewed) ? value : renewed[key],
  ]);
  return Object.fromEntries(members);
}

/** REQ-05: malformed JSON, several ways. */
export function malformedExperiments(world: World, reached: Reached): readonly Experiment[] {
  const media = jsonBodyType(reached.operation);
  if (media === null) return [];
  return MALFORMED.map((text, index) => {
    const probe = `request/malformed-json/${index}`;
    const body = { kind: 'raw', text, contentType: media.mediaType } as const;
    return single(
      reached,
      { probe, stage: index === 0 ? 'lean' : 'depth', rank: index === 0 ? 55 : 40 },
      () => planOf(reached.recipe, probe, drawFor(world, 'malformed'), { body }),
      { 'REQ-05': (exchange) => judgesOf(world).notUnderstood(exchange, 'malformed JSON', reached) },
    );
  });
}

/** REQ-06: a media type that no JSON service understands, around a body that is not JSON. */
export function mediaTypeExperiments(world: World, reached: Reached): readonly Experiment[] {
  const { operation } = reached;
  if (jsonBodyType(operation) === null || operation.requestBody?.content.length !== 1 || !mutates(operation)) return [];
  // Who need not send a body may be served whatever it is.
  if (world.contract === 'openapi' && !operation.requestBody.required) return [];
  const probe = 'request/media-type';
  const body = { kind: 'raw', text: 'assay: this is not JSON', contentType: 'text/plain' } as const;
  return [
    single(
      reached,
      { probe, stage: 'lean', rank: 60 },
      () => planOf(reached.recipe, probe, drawFor(world, 'media'), { body }),
      {
        'REQ-06': (exchange) => judgesOf(world).notUnderstood(exchange, 'an unsupported media type', reached),
      },
    ),
  ];
}

/** REQ-06: GET where the path has no GET; else a method that reads by definition and that no description has. */
export function methodExperiments(
  world: World,
  reached: Reached,
  describedMethods: readonly string[],
): readonly Experiment[] {
  const { operation, description } = reached;
  // No operation tells where the credentials go.
  const placed = world.contract === 'openapi' ? { placements: placementsOf(description, operation, world.keys) } : {};
  // A description may leave a reading out that is served; a method of other protocols nobody means to serve.
  const onlyForeign = world.contract === 'openapi' || describedMethods.includes('GET');
  const methods = onlyForeign ? ['PROPFIND'] : ['GET', 'PROPFIND'];
  return methods.map((method, index) => {
    const probe = `request/method/${method}`;
    const plan = (): ReturnType<typeof planOf> => ({
      ...planOf(reached.recipe, probe, drawFor(world, 'method'), { method, body: { kind: 'none' } }),
      ...placed,
      operation: null,
      query: '',
    });
    const one = single(reached, { probe, stage: index === 0 ? 'lean' : 'depth', rank: index === 0 ? 65 : 45 }, plan, {
      'REQ-06': (exchange) => judgesOf(world).methodUnknown(exchange, method, reached),
    });
    // The request belongs to no operation, the judgement to the one whose path it is.
    return { ...one, run: () => onOperation(one.run(), operation.service, operation.key) };
  });
}

function* onOperation(
  course: ReturnType<Experiment['run']>,
  service: string,
  operation: string,
): ReturnType<Experiment['run']> {
  const outcomes = yield* course;
  return outcomes.map((entry) => ({ ...entry, service, operation }));
}
