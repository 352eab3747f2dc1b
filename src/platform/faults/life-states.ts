// LIFE on a state that clients set: the descriptions of customers get one, and the platform keeps it, or does not.
import type { Deviation, Hooks } from '../deviation.ts';
import type { Call } from '../http/call.ts';
import { asObject, type JsonObject } from '../json.ts';
import { fault } from './fault.ts';
import { idIn, isServed, itemsIn, type Lives, onLives } from './lives.ts';

/** Values that the description lists, in their order, which is that of their letters, too; items begin with the first. */
const STATES = ['prospect', 'regular', 'valued'] as const;
const [FIRST] = STATES;

/** The state after a write. `asked`: what was sent, null for nothing; `current`: null for what is made. */
export type Course = (asked: string | null, current: string | null) => string;

/** What is asked for is set. */
export const asAsked: Course = (asked, current) => asked ?? current ?? FIRST;
export const FIRST_STATE: string = FIRST;

/** Customers show a state, which writes lead on its course. */
export function statesOn(course: Course): Pick<Deviation, 'describe' | 'hooks'> {
  return { describe: describeState, hooks: onLives((lives) => leading(lives, course)) };
}

function leading(lives: Lives, course: Course): Hooks {
  const states = new Map<string, string>();
  const askedBy = ({ body }: Call): string | null => {
    const { status } = asObject(body);
    return STATES.find((one) => one === status) ?? null;
  };
  return {
    validate: (call, failures) => {
      const { status } = asObject(call.body);
      const isTaken = call.route === lives.create || call.route === lives.change;
      if (!isTaken || status === undefined || askedBy(call) !== null) return failures;
      const code = typeof status === 'string' ? 'invalid_value' : 'invalid_type';
      return [
        ...failures.filter(({ field }) => field !== 'status'),
        { field: 'status', code, message: 'Not a state.' },
      ];
    },
    answer: (call, answer) => {
      const isWritten = isServed(call, answer, lives.create) || isServed(call, answer, lives.change);
      const written = isWritten ? idIn(lives, answer.body) : null;
      if (written !== null) states.set(written, course(askedBy(call), states.get(written) ?? null));
      const isShown = [lives.create, lives.list, lives.read, lives.change].some((route) =>
        isServed(call, answer, route),
      );
      if (isShown)
        for (const item of itemsIn(answer.body)) asObject(item).status = states.get(idIn(lives, item)) ?? FIRST;
      return answer;
    },
  };
}

/** Bodies that make or change customers take the state, and answers show it. */
function describeState(roots: ReadonlyMap<string, JsonObject>): void {
  const { schemas } = asObject(asObject(roots.get('store')).components);
  for (const name of ['NewCustomer', 'CustomerChange', 'Customer']) {
    const schema = asObject(asObject(schemas)[name]);
    schema.properties = { ...asObject(schema.properties), status: { type: 'string', enum: [...STATES] } };
  }
}

function stateFault(clause: string, name: string, description: string, course: Course): Deviation {
  return { ...fault(clause, name, description, () => ({})), ...statesOn(course) };
}

export const STATE_FAULTS: readonly Deviation[] = [
  stateFault(
    'LIFE-02',
    'state-ignored',
    'A state that creates and updates are described to take is set by none of them.',
    () => FIRST,
  ),
  stateFault(
    'LIFE-03',
    'state-reset',
    'An update that sends no state sets it back to the first one.',
    (asked) => asked ?? FIRST,
  ),
];
