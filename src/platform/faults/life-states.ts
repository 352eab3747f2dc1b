// LIFE on a state that clients set: the descriptions of customers get one, and the platform keeps it, or does not.
import type { Deviation, Hooks } from '../deviation.ts';
import type { Call } from '../http/call.ts';
import { asObject, type JsonObject } from '../json.ts';
import { fault, type More } from './fault.ts';
import { idIn, isServed, type Lives, noting, onLives, onShown } from './lives.ts';

/** Values that the description lists, in their order, which is that of their letters, too; items begin with the first. */
const STATES = ['prospect', 'regular', 'valued'] as const;
const [FIRST] = STATES;

/** The state after a write. `asked`: what was sent, null for nothing; `current`: null for what is made. */
export type Course = (asked: string | null, current: string | null) => string;

/** Sets the state that is asked for. */
export const asAsked: Course = (asked, current) => asked ?? current ?? FIRST;
export const FIRST_STATE: string = FIRST;

/** The last arguments of a deviation whose customers show a further member. */
type Led = readonly [hooks: ReturnType<typeof onLives>, more: More];

/** Customers show a state, which writes lead on its course. */
export function statesOn(course: Course): Led {
  return [onLives((lives) => leading(lives, course)), { describe: describeState }];
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
      return shown(lives, 'status', (id) => states.get(id) ?? FIRST).answer(call, answer);
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

/** Customers show a further member, which the hooks lead; `taken`: whether what makes or changes them is described to take it. */
export function memberOn(
  name: string,
  schema: JsonObject,
  { taken }: { readonly taken: boolean },
  leads: (lives: Lives) => Hooks,
): Led {
  const describe = (roots: ReadonlyMap<string, JsonObject>): void => {
    const { schemas } = asObject(asObject(roots.get('store')).components);
    for (const one of ['Customer', ...(taken ? ['NewCustomer', 'CustomerChange'] : [])]) {
      const described = asObject(asObject(schemas)[one]);
      described.properties = {
        ...asObject(described.properties),
        [name]: taken ? schema : { ...schema, readOnly: true },
      };
    }
  };
  return [onLives(leads), { describe }];
}

/** Customers are active or not, as they are made; an update turns that on and never off. */
function turnedOn(lives: Lives): Hooks {
  const flags = new Map<string, boolean>();
  return {
    validate: (call, failures) => {
      const { active } = asObject(call.body);
      const isTaken = call.route === lives.create || call.route === lives.change;
      if (!isTaken || active === undefined || typeof active === 'boolean') return failures;
      return [...failures, { field: 'active', code: 'invalid_type', message: 'Not a flag.' }];
    },
    answer: (call, answer) => {
      const { active } = asObject(call.body);
      if (isServed(call, answer, lives.create)) flags.set(idIn(lives, answer.body), active !== false);
      if (isServed(call, answer, lives.change) && active === true) flags.set(idIn(lives, answer.body), true);
      return shown(lives, 'active', (id) => flags.get(id) ?? true).answer(call, answer);
    },
  };
}

const TIERS = ['basic', 'silver', 'gold'] as const;
export const TIER: JsonObject = { type: 'string', enum: [...TIERS] };

/** Customers begin as basic, but for those whose create names a tier. */
function asNamed(lives: Lives): Hooks {
  const tiers = new Map<string, string>();
  const note = (id: string, { body }: Call): void => {
    const tier = TIERS.find((one) => one === asObject(body).tier);
    if (tier !== undefined) tiers.set(id, tier);
  };
  return noting(
    lives,
    lives.create,
    note,
    shown(lives, 'tier', (id) => tiers.get(id) ?? TIERS[0]),
  );
}

/** Each customer has one of the tiers, whatever is sent. */
export function byChance(lives: Lives): Hooks {
  const sumOf = (id: string): number => [...id].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7);
  return shown(lives, 'tier', (id) => TIERS[Math.abs(sumOf(id)) % TIERS.length] ?? TIERS[0]);
}

function shown(lives: Lives, name: string, given: (id: string) => unknown) {
  return onShown(lives, (item) => {
    item[name] = given(idIn(lives, item));
  });
}

export const STATE_FAULTS: readonly Deviation[] = [
  fault(
    'life-02-state-ignored',
    'A state that creates and updates are described to take is set by none of them.',
    ...statesOn(() => FIRST),
  ),
  fault(
    'life-03-state-reset',
    'An update that sends no state sets it back to the first one.',
    ...statesOn((asked) => asked ?? FIRST),
  ),
  fault(
    'life-02-turned-on-alone',
    'An update that turns a flag off is answered a success, and leaves it on.',
    ...memberOn('active', { type: 'boolean' }, { taken: true }, turnedOn),
  ),
  fault(
    'life-07-tier-on-create',
    'A tier that a create names is given, of three that there are.',
    ...memberOn('tier', TIER, { taken: false }, asNamed),
  ),
];
