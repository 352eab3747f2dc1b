// A sound body, and one that lacks a member, in each media type that an operation takes besides the one of its ordinary calls:
// each has a parser of its own. Where the sound one is served, the other is to be refused (REQ-03); passive checks judge all else.

import { judgeSpoiledRefused } from '../../checks/req/status-classes.ts';
import { bodyType, isValid } from '../../generate/bodies.ts';
import { drawnValue } from '../../generate/drawn.ts';
import { encodedBody } from '../../generate/encodings.ts';
import { shapeOf } from '../../generate/schema-shape.ts';
import { BODY } from '../../generate/targets/candidates.ts';
import { asArray, isObject } from '../../openapi/json.ts';
import { isMakeable, isReadBack, writtenExample } from '../../openapi/model/media-types.ts';
import { type Description, type MediaType, type Operation, spotOf } from '../../openapi/model/operation.ts';
import { isJson } from '../../openapi/model/responses.ts';
import { IN_VAIN, outcome } from '../experiment.ts';
import type { Course, Experiment, Outcome } from '../probe.ts';
import { drawFor, mutates, type Reached, type World } from '../world.ts';
import { planOf } from './recipe.ts';
import { isServed, mayVary, staysEachTime, variedInput } from './valid-inputs.ts';

const PROBE = 'depth/media';
const MISSING = {
  code: { clause: 'REQ-03', name: 'missing' },
  kind: 'a missing required field',
  accepted: 'breach',
  field: '',
  control: true,
} as const;

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
    clauses: ['SCH-01', 'SCH-06', 'REQ-03'],
    ...spotOf(operation),
    cost: 2 * others.length,
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
  const outcomes: Outcome[] = [];
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
    const probe = `${PROBE}/${media.mediaType}`;
    const sound = yield planOf(recipe, probe, drawFor(world, media.mediaType), { body });
    const lacking = withoutOne(description, media, drawn.value);
    if (lacking === null) continue;
    const refused = { body: encodedBody(description, media, lacking.value), ...IN_VAIN };
    const { last } = yield planOf(recipe, `${probe}/lacking`, drawFor(world, media.mediaType), refused);
    const what = `${lacking.name} left out of ${media.mediaType}`;
    if (isServed(sound.last))
      outcomes.push(outcome('REQ-03', spotOf(operation), judgeSpoiledRefused(last, { ...MISSING, what }), [last]));
  }
  // A changed object is left as the run found or made it.
  if (mutates(operation) && operation.method !== 'POST')
    yield planOf(recipe, `${PROBE}/restored`, drawFor(world, 'inputs'));
  return outcomes;
}

interface Lacking {
  readonly name: string;
  readonly value: object;
}

/** The value without the first member that it must have; null where none must be there, or nobody knows how the media type writes members. */
function withoutOne(description: Description, media: MediaType, value: unknown): Lacking | null {
  const { schema } = media;
  const isRead = isJson(media.mediaType) || isReadBack(media);
  const [first] = isRead && isObject(value) ? asArray(shapeOf(description, schema?.value).required) : [];
  if (!isObject(value) || typeof first !== 'string') return null;
  const { [first]: _, ...lacking } = value;
  return isValid(description, schema, lacking) ? null : { name: first, value: lacking };
}
