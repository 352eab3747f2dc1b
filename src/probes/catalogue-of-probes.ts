// Which experiments exist: for one operation, and for the target as a whole.
import type { Pieces } from '../clock/pieces.ts';
import type { Catalogue } from '../openapi/model/catalogue.ts';
import {
  isolatedListExperiments,
  isolationExperiments,
  otherKeyExperiments,
  strangerExperiment,
} from './auth/accounts.ts';
import { borrowing } from './auth/borrowed-requests.ts';
import { authExperiments } from './auth/refusals.ts';
import type { Experiment } from './probe.ts';
import {
  acceptExperiments,
  bodyExperiments,
  parameterExperiments,
  secondPageExperiments,
  visitExperiment,
  walkExperiments,
} from './reach/depth.ts';
import { otherMediaExperiment } from './reach/other-media.ts';
import { pairedInputExperiment } from './reach/paired-inputs.ts';
import { smallestInputExperiment } from './reach/smallest-input.ts';
import { type Beside, validInputExperiment } from './reach/valid-inputs.ts';
import { spoiledBodyExperiments } from './requests/bad-requests.ts';
import { hostileExperiments } from './requests/hostile-input.ts';
import {
  boundlessFormExperiments,
  malformedExperiments,
  mediaTypeExperiments,
  methodExperiments,
} from './requests/not-understood.ts';
import { registrationExperiment } from './requests/registration.ts';
import { spoiledParameterExperiments } from './requests/spoiled-parameters.ts';
import { spoiledWholeExperiments } from './requests/spoiled-whole.ts';
import { unknownIdExperiments, unknownReferenceExperiments, zeroIdExperiments } from './requests/unknown-ids.ts';
import { versionExperiments } from './requests/version-header.ts';
import { mutates, type Reached, type World } from './world.ts';

const REGISTRATIONS = 3;

/** Places of an operation in the order of the descriptions, by which variants are shared out. */
export interface Turns {
  /** Among all operations. */
  readonly turn: number;
  /** Among those that take a JSON body, or among those that take none. */
  readonly turnAlike: number;
}

/** All experiments on one operation but its first call and its repetition. */
export function* operationExperiments(
  world: World,
  catalogue: Catalogue,
  reached: Reached,
  { turn, turnAlike }: Turns,
  { firstOfService }: { readonly firstOfService: boolean },
  beside?: Beside,
): Pieces<readonly Experiment[]> {
  const { operation } = reached;
  const methods = catalogue.pathKnown(operation.path);
  // One operation of a path asks for the path's undescribed methods.
  const ownsPath = methods[0] === operation.method;
  const byOtherKeys = borrowing(world, reached);
  const first = [
    ...authExperiments(world, reached, turn),
    ...byOtherKeys(unknownIdExperiments(world, reached)),
    ...unknownReferenceExperiments(world, reached),
  ];
  const spoiled = yield* spoiledBodyExperiments(world, reached);
  yield;
  const parameters = spoiledParameterExperiments(world, reached);
  yield;
  const further = [
    ...present(smallestInputExperiment(world, reached)),
    ...spoiledWholeExperiments(world, reached),
    ...byOtherKeys(zeroIdExperiments(world, reached)),
    ...byOtherKeys(malformedExperiments(world, reached)),
    ...byOtherKeys(mediaTypeExperiments(world, reached)),
    ...byOtherKeys(boundlessFormExperiments(world, reached)),
    ...(ownsPath ? methodExperiments(world, reached, methods) : []),
    ...versionExperiments(world, reached),
    ...byOtherKeys(hostileExperiments(world, reached, turnAlike)),
    ...otherKeyExperiments(world, reached, { first: firstOfService }),
    ...isolationExperiments(world, reached),
    ...isolatedListExperiments(world, reached),
    ...present(strangerExperiment(world, reached, { first: firstOfService })),
    ...secondPageExperiments(world, reached),
    ...walkExperiments(world, reached),
    ...present(visitExperiment(world, reached)),
    ...parameterExperiments(world, reached),
    ...bodyExperiments(world, reached),
    ...acceptExperiments(world, reached),
  ];
  yield;
  const valid = yield* validExperiments(world, reached, beside);
  return [...first, ...spoiled, ...parameters, ...further, ...valid, ...registrations(world, reached)];
}

function* validExperiments(world: World, reached: Reached, beside?: Beside): Pieces<readonly Experiment[]> {
  const valid = present(validInputExperiment(world, reached, beside));
  yield;
  const others = present(otherMediaExperiment(world, reached));
  return [...valid, ...others, ...present(pairedInputExperiment(world, reached))];
}

function registrations(world: World, reached: Reached): readonly Experiment[] {
  const { operation } = reached;
  const { registration } = world.terms;
  if (registration?.operation !== operation.key || !mutates(operation)) return [];
  const rounds = world.lasts(operation) ? 1 : REGISTRATIONS;
  return Array.from({ length: rounds }, (_, round) => registrationExperiment(world, reached, registration, round));
}

function present<T>(value: T | null): readonly T[] {
  return value === null ? [] : [value];
}
