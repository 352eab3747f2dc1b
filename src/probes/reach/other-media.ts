// A sound body in each media type that an operation takes besides the one of its ordinary calls: each has a parser of its own.
// The passive checks judge.

import { bodyType, isValid } from '../../generate/bodies.ts';
import { drawnValue } from '../../generate/drawn.ts';
import { encodedBody } from '../../generate/encodings.ts';
import { BODY } from '../../generate/targets/candidates.ts';
import { isMakeable, writtenExample } from '../../openapi/model/media-types.ts';
import { type MediaType, type Operation, spotOf } from '../../openapi/model/operation.ts';
import type { Course, Experiment } from '../probe.ts';
import { drawFor, mutates, type Reached, type World } from '../world.ts';
import { planOf } from './recipe.ts';
import { mayVary, staysEachTime, variedInput } from './valid-inputs.ts';

const PROBE = 'depth/media';

/** Null where the operation takes one media type, or was not called with success. */
export function otherMediaExperiment(world: World, reached: Reached): Experiment | null {
  const { operation } = reached;
  const others = otherMedia(operation);
  if (!mayVary(reached) || others.length === 0) return null;
  return {
    probe: PROBE,
    stage: 'depth',
    // Where little may be made, a parser that was never asked shows more than further values do.
    rank: staysEachTime(world, reached) ? 2 : 25,
    clauses: ['SCH-01', 'SCH-06'],
    ...spotOf(operation),
    cost: others.length,
    run: () => course(world, reached, others),
  };
}

function otherMedia(operation: Operation): readonly MediaType[] {
  const usual = bodyType(operation);
  return (operation.requestBody?.content ?? []).filter((media) => media !== usual && isMakeable(media));
}

function* course(world: World, reached: Reached, others: readonly MediaType[]): Course {
  const { recipe, operation, description } = reached;
  const given = variedInput(world, reached).base.get(BODY);
  for (const media of others) {
    const from = { seed: world.seed, place: `${operation.key} ${media.mediaType}` };
    const written = writtenExample(media);
    const isSame = given !== undefined && isValid(description, media.schema, given);
    const drawn =
      written !== undefined || isSame || media.schema === null
        ? { ok: true as const, value: written ?? given }
        : drawnValue(description, media.schema, { optional: true, example: media.examples[0] }, from);
    if (!drawn.ok) continue;
    const body = encodedBody(description, media, drawn.value);
    yield planOf(recipe, `${PROBE}/${media.mediaType}`, drawFor(world, media.mediaType), { body });
  }
  // A changed object is left as the run found or made it.
  if (mutates(operation) && operation.method !== 'POST')
    yield planOf(recipe, `${PROBE}/restored`, drawFor(world, 'inputs'));
  return [];
}
