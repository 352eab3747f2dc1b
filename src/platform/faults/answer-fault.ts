// Faults that are defects of the catalogue in the answers of one operation.
import { COMMERCE_TERMS } from '../../contract/shipped.ts';
import { ANSWER_DEFECTS } from '../../defects/answers.ts';
import { defectNamed } from '../../defects/defect.ts';
import type { Deviation } from '../deviation.ts';
import type { Answer, Call, Route } from '../http/call.ts';
import { altered } from './fault.ts';
import { isGuarded, isPlainRead, subject } from './subject.ts';

/** The words that complete "the fault needs …", and the operations that are meant. */
type Operations = readonly [need: string, fits: (route: Route) => boolean];

export const LISTS: Operations = ['a list', (route) => route.role.kind === 'list' && isGuarded(route)];
export const READS: Operations = ['a readable operation', isPlainRead];

interface More {
  readonly alsoBreaks?: readonly string[];
  /** Which answers have it; absent: successes of the operation. */
  readonly when?: (call: Call, answer: Answer, route: Route) => boolean;
  /** Made anew for each start, and asked for each of them. */
  readonly due?: () => () => boolean;
}

/** The defect of the catalogue, on the last operation that fits. */
export function answerFault(id: string, description: string, [need, fits]: Operations, more: More = {}): Deviation {
  const { when = isSuccessOf, due = () => () => true, ...beside } = more;
  const defect = defectNamed(ANSWER_DEFECTS, id);
  return {
    ...{ id, clause: defect.clause, description, ...beside },
    hooks(around) {
      const route = subject(around, need, fits);
      const statuses = route.operation.responses.map(({ status }) => status);
      const difference = defect.change({ statuses, requiredHeader: requiredHeaderOf(route), terms: COMMERCE_TERMS });
      const isDue = due();
      return {
        answer: (call, answer) =>
          difference !== null && when(call, answer, route) && isDue() ? altered(answer, difference) : answer,
      };
    },
  };
}

function isSuccessOf({ route }: Call, { status }: Answer, own: Route): boolean {
  return route === own && status < 300;
}

/** A header that successes of the operation must have and other answers need not; null: none. */
export function requiredHeaderOf({ role }: Route): string | null {
  const headers = role.kind === 'redirect' ? [] : [...(role.success.response?.headers ?? [])];
  const isOwn = (name: string): boolean => name !== 'location' && !name.startsWith('x-ratelimit');
  return headers.find(([name, { required }]) => required && isOwn(name))?.[0] ?? null;
}
