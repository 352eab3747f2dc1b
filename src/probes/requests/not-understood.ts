// REQ-05 and REQ-06 on one operation: JSON that is none, a media type and a method that nothing describes.
import type { NotUnderstood } from '../../checks/req/req-01-to-08-answers.ts';
import { jsonBodyType } from '../../generate/bodies.ts';
import { placementsOf } from '../auth/security.ts';
import { single } from '../experiment.ts';
import type { Experiment } from '../probe.ts';
import { planOf } from '../reach/recipe.ts';
import { drawFor, mutates, type Reached, type World } from '../world.ts';
import { judgesOf } from './judges.ts';

const MALFORMED = ['{"assay": ', '{"assay": "open', '{assay: 1}', '[1, 2'] as const;

const MALFORMED_JSON: NotUnderstood = { clause: 'REQ-05', values: [], inWords: 'malformed JSON' };
const MEDIA_TYPE: NotUnderstood = { clause: 'REQ-06', values: ['media-type'], inWords: 'an unsupported media type' };

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
      () => planOf(reached.recipe, probe, drawFor(world, 'malformed'), { body, intent: 'invalid', makes: 'nothing' }),
      { 'REQ-05': (exchange) => judgesOf(world).notUnderstood(exchange, MALFORMED_JSON, reached) },
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
      () => planOf(reached.recipe, probe, drawFor(world, 'media'), { body, intent: 'invalid', makes: 'nothing' }),
      {
        'REQ-06': (exchange) => judgesOf(world).notUnderstood(exchange, MEDIA_TYPE, reached),
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
      intent: 'invalid',
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
