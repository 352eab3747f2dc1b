// REQ-05 and REQ-06 on one operation: JSON that is none, a media type and a method that nothing describes.
import type { NotUnderstood } from '../../checks/req/req-01-to-08-answers.ts';
import { jsonText } from '../../exchange/body.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import { jsonBodyType } from '../../generate/bodies.ts';
import { contentTypeFor } from '../../openapi/model/media-types.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import { placementsOf } from '../auth/security.ts';
import { IN_VAIN, oneCall, single } from '../experiment.ts';
import type { Course, Experiment } from '../probe.ts';
import { planOf, recipeBody } from '../reach/recipe.ts';
import { drawFor, keysFor, mutates, type Reached, type World } from '../world.ts';
import { besideControl } from './beside-control.ts';
import { judgeMethod, judgeUnderstood } from './judges.ts';

const MALFORMED = ['{"assay": ', '{"assay": "open', '{assay: 1}', '[1, 2'] as const;
/** Texts that lenient parsers take for JSON: the valid body in other quotes, with a comma too many, and with text behind it. */
const NEARLY_JSON: readonly ((json: string) => string)[] = [
  (json) => (json.includes('"') ? json.replaceAll('"', "'") : `'${json}'`),
  (json) => json.replace(/[}\]]?$/, ',$&'),
  (json) => `${json} assay`,
];

const MALFORMED_JSON: NotUnderstood = { clause: 'REQ-05', values: [], inWords: 'malformed JSON' };
const MEDIA_TYPE: NotUnderstood = { clause: 'REQ-06', values: ['media-type'], inWords: 'an unsupported media type' };

/** REQ-05: malformed JSON, several ways. */
export function malformedExperiments(world: World, reached: Reached): readonly Experiment[] {
  const media = jsonBodyType(reached.operation);
  if (media === null) return [];
  const { recipe } = reached;
  const nearly = NEARLY_JSON.map(
    (spoil) => () => spoil(jsonText(recipeBody(recipe, drawFor(world, 'malformed')) ?? {})),
  );
  return [...MALFORMED.map((text) => () => text), ...nearly].map((textOf, index) => {
    const probe = `request/malformed-json/${index}`;
    const body = () => ({ kind: 'raw', text: textOf(), contentType: contentTypeFor(media) }) as const;
    return single(
      reached,
      { probe, stage: index === 0 ? 'lean' : 'depth', rank: index === 0 ? 55 : 40 },
      () => planOf(recipe, probe, drawFor(world, 'malformed'), { body: body(), ...IN_VAIN }),
      { 'REQ-05': (exchange) => judgeUnderstood(world, exchange, MALFORMED_JSON, reached) },
    );
  });
}

/** REQ-06: a media type that no JSON service understands, around a body that is not JSON. */
export function mediaTypeExperiments(world: World, reached: Reached): readonly Experiment[] {
  const { operation } = reached;
  if (jsonBodyType(operation) === null || !mutates(operation) || understandsText(operation)) return [];
  // Who need not send a body may be served whatever it is.
  if (world.contract === 'openapi' && operation.requestBody?.required !== true) return [];
  const probe = 'request/media-type';
  const body = { kind: 'raw', text: 'assay: this is not JSON', contentType: TEXT } as const;
  const one = single(
    reached,
    { probe, stage: 'lean', rank: 60 },
    () => planOf(reached.recipe, probe, drawFor(world, 'media'), { body, ...IN_VAIN }),
    {
      'REQ-06': (exchange) => judgeUnderstood(world, exchange, MEDIA_TYPE, reached),
    },
  );
  return [{ ...one, run: () => withControl(world, reached, one.run()) }];
}

/** A form of several parts whose header names no boundary: parsers that look for one whatever the operation takes fail. */
export function boundlessFormExperiments(world: World, reached: Reached): readonly Experiment[] {
  const { operation, recipe } = reached;
  const hasBody = operation.requestBody !== null;
  const isForm = operation.requestBody?.content.some(({ mediaType }) => /^(multipart|\*)\//.test(mediaType)) === true;
  if (world.contract !== 'openapi' || isForm || (mutates(operation) && !hasBody)) return [];
  const probe = 'request/boundless-form';
  const from = drawFor(world, 'boundless');
  const plan = (): RequestPlan =>
    hasBody
      ? planOf(recipe, probe, from, { ...IN_VAIN, body: { kind: 'raw', text: 'assay', contentType: FORM } })
      : planOf({ ...recipe, headers: [...recipe.headers, ['Content-Type', FORM]] }, probe, from, { intent: 'invalid' });
  const { service, key } = operation;
  const place = { probe, stage: 'depth', rank: 45, clauses: ['SCH-06'], service, operation: key } as const;
  return [{ ...place, cost: 1, repeatable: true, run: () => oneCall(plan(), {}) }];
}

const FORM = 'multipart/form-data';
const TEXT = 'text/plain';

/** Tells whether the description names text, or a range that holds it, as a form of the body. */
function understandsText({ requestBody }: Operation): boolean {
  return requestBody?.content.some(({ mediaType }) => /^(text|\*)\//.test(mediaType)) === true;
}

function* withControl(world: World, reached: Reached, course: Course): Course {
  const outcomes = yield* course;
  const [sent] = outcomes[0]?.evidence ?? [];
  return sent === undefined ? outcomes : yield* besideControl(world, reached, sent, outcomes);
}

/** REQ-06: GET where the path has no GET; else a method that reads by definition and that no description has. HEAD beside GET. */
export function methodExperiments(
  world: World,
  reached: Reached,
  describedMethods: readonly string[],
): readonly Experiment[] {
  const { operation, description } = reached;
  // No operation tells where the credentials go; a public one does not tell that its path wants none for other methods.
  const placed =
    world.contract === 'openapi' ? { placements: placementsOf(description, operation, keysFor(world, operation)) } : {};
  const key = world.contract === 'commerce' ? world.mainKey : null;
  const keyed = key === null ? {} : { credential: { kind: 'key', name: key.name } as const };
  // A description may leave a reading out that is served; a method of other protocols nobody means to serve.
  const onlyForeign = world.contract === 'openapi' || describedMethods.includes('GET');
  const methods = onlyForeign ? ['PROPFIND'] : ['GET', 'PROPFIND'];
  const asking = (method: string, probe: string): ReturnType<typeof planOf> => ({
    ...planOf(reached.recipe, probe, drawFor(world, 'method'), { method, body: { kind: 'none' } }),
    ...placed,
    ...keyed,
    operation: null,
  });
  // HEAD may be served or refused where GET is described; that it fails is SCH-06's to tell.
  const head = { probe: 'request/method/HEAD', stage: 'depth', rank: 45 } as const;
  const isHeadOpen = describedMethods.includes('GET') && !describedMethods.includes('HEAD');
  const heads = isHeadOpen ? [single(reached, head, () => asking('HEAD', head.probe), {})] : [];
  const judged = methods.map((method, index) => {
    const probe = `request/method/${method}`;
    const plan = () => ({ ...asking(method, probe), query: '', intent: 'invalid' }) as const;
    // The request belongs to no operation, the judgement to the one whose path it is.
    return single(reached, { probe, stage: index === 0 ? 'lean' : 'depth', rank: index === 0 ? 65 : 45 }, plan, {
      'REQ-06': (exchange) => judgeMethod(world, exchange, method, reached),
    });
  });
  return [...judged, ...heads];
}
