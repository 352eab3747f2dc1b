// Plants of COND: conditions that are ignored, and tags that do not tell states apart.

import type { Exchange, RecordedResponse } from '../../exchange/exchange.ts';
import { isSuccess, succeeded } from '../../facts/answered.ts';
import { trimmed } from '../../facts/paths.ts';
import type { Description, Operation } from '../../openapi/model/operation.ts';
import { type ExperimentPlant, type Occasion, sown, withHeader } from '../plant.ts';
import { makesItems } from './lives.ts';

/** Tells whether experiments on tags stand at the operation: at what makes the items, else at the reading itself. */
function isLookedAt(operation: Operation, description: Description): boolean {
  const { operations } = description;
  const below = `${trimmed(operation.path)}/{`;
  if (makesItems(operation, description, ['GET']))
    return operations.some((one) => one.method === 'GET' && one.conditional === true && one.path.startsWith(below));
  return operation.method === 'GET' && operation.conditional === true && !isChanged(operation, description);
}

/** Tells whether another operation makes or changes the thing that is read. */
function isChanged({ path }: Operation, description: Description): boolean {
  const collection = path.slice(0, path.lastIndexOf('/'));
  return description.operations.some(
    (one) =>
      (one.path === path && /^(PUT|PATCH)$/.test(one.method)) ||
      (trimmed(one.path) === collection && makesItems(one, description, ['GET'])),
  );
}

/** Tells whether the items that the operation makes are changed by writes that take conditions. */
function isWrittenBy({ path, method }: Operation, { operations }: Description): boolean {
  const below = `${trimmed(path)}/{`;
  return (
    method === 'POST' &&
    operations.some((one) => one.conditional === true && /^(PUT|PATCH)$/.test(one.method) && one.path.startsWith(below))
  );
}

function names({ plan: { headers } }: Pick<Exchange, 'plan'>, field: string): boolean {
  return headers.some(([name]) => name.toLowerCase() === field);
}

/** The last success before of the same request, whatever it named. */
function servedBefore({ plan, earlier }: Occasion): RecordedResponse | null {
  const { method, path } = plan;
  return (
    earlier.findLast((one) => one.plan.method === method && one.plan.path === path && succeeded(one))?.response ?? null
  );
}

export const tagPlants: readonly ExperimentPlant[] = [
  sown('COND-01', 'accepted', 'A write that names a former state is accepted.', {
    ...{ concerns: isWrittenBy, lacks: 'no write that named a former state was refused' },
    change: (occasion, { status }) => (status === 412 && names(occasion, 'if-match') ? servedBefore(occasion) : null),
  }),
  sown('COND-02', 'sent-again', 'A reading that names the present state is answered in full.', {
    ...{ concerns: isLookedAt, lacks: 'no reading that named a state was answered 304' },
    change: (occasion, { status }) => (status === 304 ? servedBefore(occasion) : null),
  }),
  sown('COND-03', 'always-new', 'Every reading shows another ETag.', {
    ...{ concerns: isLookedAt, lacks: 'nothing that shows an ETag was read twice' },
    change: ({ plan, earlier }, response) =>
      plan.method === 'GET' && isSuccess(response.status)
        ? withHeader(response, 'etag', `"assay-${earlier.length}"`)
        : null,
  }),
];
