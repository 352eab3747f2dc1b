// Plants of COND: conditions that are ignored, and tags that do not tell states apart.

import type { Exchange, RecordedResponse } from '../../exchange/exchange.ts';
import { isSuccess } from '../../facts/answered.ts';
import { trimmed } from '../../facts/paths.ts';
import type { Description, Operation } from '../../openapi/model/operation.ts';
import { type ExperimentPlant, type Occasion, withHeader } from '../plant.ts';
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
  const alike = ({ plan: other, response }: Exchange): boolean =>
    other.method === plan.method && other.path === plan.path && isSuccess(response?.status ?? 0);
  return earlier.findLast(alike)?.response ?? null;
}

type Entry = Pick<ExperimentPlant, 'id' | 'clause' | 'text' | 'lacks'> & {
  change(occasion: Occasion, response: RecordedResponse): RecordedResponse | null;
};

function plant({ change, ...entry }: Entry): ExperimentPlant {
  return {
    ...{ at: 'operation', concerns: entry.clause === 'COND-01' ? isWrittenBy : isLookedAt, ...entry },
    change(occasion) {
      const { response } = occasion.exchange;
      const changed = response === null ? null : change(occasion, response);
      return changed === null ? null : { response: changed };
    },
  };
}

export const tagPlants: readonly ExperimentPlant[] = [
  plant({
    ...{ id: 'cond-01-accepted', clause: 'COND-01', text: 'A write that names a former state is accepted.' },
    lacks: 'no write that named a former state was refused',
    change: (occasion, { status }) => (status === 412 && names(occasion, 'if-match') ? servedBefore(occasion) : null),
  }),
  plant({
    ...{
      id: 'cond-02-sent-again',
      clause: 'COND-02',
      text: 'A reading that names the present state is answered in full.',
    },
    lacks: 'no reading that named a state was answered 304',
    change: (occasion, { status }) => (status === 304 ? servedBefore(occasion) : null),
  }),
  plant({
    ...{ id: 'cond-03-always-new', clause: 'COND-03', text: 'Every reading shows another ETag.' },
    lacks: 'nothing that shows an ETag was read twice',
    change: ({ plan, earlier }, response) =>
      plan.method === 'GET' && isSuccess(response.status)
        ? withHeader(response, 'etag', `"assay-${earlier.length}"`)
        : null,
  }),
];
