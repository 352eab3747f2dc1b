// The family LIFE: one course for each kind of resource that the run can make, and why the others are not tested.

import { LIFE_LAWS, LIFE_REQUEST_LAWS } from '../../checks/life/family.ts';
import { experimentedIn } from '../../contract/judged-by.ts';
import { type Operation, spotOf } from '../../openapi/model/operation.ts';
import { type Conversation, collected, type Untested } from '../probe.ts';
import { declared, type Reached, type World } from '../world.ts';
import { followLife } from './course.ts';
import { type Judging, Lab } from './lab.ts';
import { carries, type Lifecycle, lifecyclesOf, rightBelow } from './lifecycle.ts';

/** Requests of a course where nothing differs and every operation is described. */
const COST = 14;
/** Requests that a course sends beside the create where a budget bounds the run, by the operation that they need. */
const REQUESTS_ON = { reader: 5, lister: 3, amender: 6, replacer: 2, remover: 2 } as const;
const NEEDED = ['reader', 'lister', 'amender', 'replacer', 'remover'] as const;
/** Two more items are made: with other values than usual, and with members that are not the client's; or one that has both. The first one is deleted. */
const LEAVES = { whole: 2, brief: 1 };

const LIFE_CLAUSES = experimentedIn('LIFE');
/** The clause that is only observed: a budget pays for no request that nothing else is judged by. */
const JUDGED = LIFE_CLAUSES.filter((clause) => clause !== 'LIFE-08');

/** Clauses on an operation that not every resource has: its role and method, and why they are not judged without it. */
const ON_ROLE: Readonly<Record<string, readonly [role: keyof typeof REQUESTS_ON, method: string, lacking: string]>> = {
  'LIFE-03': ['amender', 'PATCH', 'no operation changes an item in part (PATCH)'],
  'LIFE-04': ['remover', 'DELETE', 'no operation deletes one item'],
};

/** The laws of LIFE, and those of their clauses that are looked at in this world. */
export function lifeJudging(world: World): Judging {
  const clauses = declared(world, { whole: LIFE_CLAUSES, brief: JUDGED });
  return { laws: LIFE_LAWS, requestLaws: LIFE_REQUEST_LAWS, clauses };
}

/** A course for each kind of resource whose create succeeded. */
export function lifeExperiments(world: World, reached: readonly Reached[]): readonly Conversation[] {
  const all = lifecyclesOf(world, reached).filter(isMade(world));
  return all.map((cycle) => courseOf(world, cycle, all));
}

function isMade(world: World): (cycle: Lifecycle) => boolean {
  return ({ creator }) => creator.proof !== null && !world.isPayment(creator.operation);
}

function courseOf(world: World, cycle: Lifecycle, all: readonly Lifecycle[]): Conversation {
  return {
    ...{ probe: 'life/course', companions: 'item', stage: 'quiet', rank: 95, clauses: clausesOn(world, cycle) },
    ...{ ...spotOf(cycle.creator.operation), cost: costOf(world, cycle) },
    leaves: declared(world, LEAVES),
    converse: (send, letGo = () => {}) => {
      const passing = all.filter(({ creator }) => !world.lasts(creator.operation));
      const surroundings = { isNeeded: carries(cycle, all), below: rightBelow(cycle, passing) };
      return collected((outcomes) =>
        followLife(new Lab(world, cycle, send, letGo, lifeJudging(world), outcomes), surroundings),
      );
    },
  };
}

/** Clauses that a course on the resource can judge. */
function clausesOn(world: World, cycle: Lifecycle): readonly string[] {
  return lifeJudging(world).clauses.filter((clause) => !lackingOn(cycle).some(([lacking]) => lacking === clause));
}

/** The clauses that the resource has no operation for, with the reason. */
function lackingOn(cycle: Lifecycle): readonly (readonly [clause: string, reason: string])[] {
  return Object.entries(ON_ROLE).flatMap(([clause, [role, , why]]) => (cycle[role] === null ? [[clause, why]] : []));
}

/** Requests that a course takes where nothing differs; where a budget bounds the run, by the operations of its resource. */
function costOf(world: World, cycle: Lifecycle): number {
  const brief = NEEDED.filter((one) => cycle[one] !== null).reduce((sum, one) => sum + REQUESTS_ON[one], 1);
  return declared(world, { whole: COST, brief });
}

/** Clauses that a course cannot look at, because an operation for it is not described or did not succeed. */
export function lifeUntested(world: World, reached: readonly Reached[]): readonly Untested[] {
  return lifecyclesOf(world, reached).flatMap((cycle) => {
    const { creator } = cycle;
    if (!isMade(world)(cycle)) {
      const reason = world.isPayment(creator.operation)
        ? 'it is a payment, and none is made to follow its life'
        : 'no create of this run succeeded, so there is nothing whose life could be followed';
      return LIFE_CLAUSES.map((clause) => untested(clause, creator, reason));
    }
    return [
      ...lackingOn(cycle).map(([clause, reason]) => untested(clause, creator, reason)),
      ...LIFE_CLAUSES.filter((clause) => !lifeJudging(world).clauses.includes(clause)).map((clause) => ({
        ...untested(clause, creator, 'with a request budget only what can be judged is looked at'),
        reasonCode: 'budget' as const,
      })),
    ];
  });
}

function untested(clause: string, { operation }: Reached, reason: string): Untested {
  return { clause, ...spotOf(operation), reasonCode: 'precondition', reason };
}

/** Why a clause of the family applies to none of the operations; null when it may apply, or is not of the family. */
export function lifeUndeclared(clause: string, operations: readonly Operation[]): string | null {
  if (!clause.startsWith('LIFE-')) return null;
  if (!operations.some(({ method }) => method === 'POST')) return 'no operation creates anything';
  const [, needed, lacking = null] = ON_ROLE[clause] ?? [];
  return operations.some(({ method }) => method === needed) ? null : lacking;
}
