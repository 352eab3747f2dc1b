// The laws over the reference platform's faults and tolerance cases of this family, in one process and without sockets.

import { beforeAll, describe, expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { loadFiles } from '../../../test/support/openapi/descriptions.ts';
import { openPlatform, type TestPlatform } from '../../../test/support/platform/platform.ts';
import { worldWith } from '../../../test/support/probes/world.ts';
import { pagChecks } from '../../checks/exchange-checks.ts';
import type { Judgement } from '../../contract/judgement.ts';
import { COMMERCE_TERMS } from '../../contract/shipped.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { parameterNames } from '../../facts/paths.ts';
import type { Description } from '../../openapi/model/operation.ts';
import type { Deviation } from '../../platform/deviation.ts';
import { ACTIVITY_LOG_OPERATION, PATH_PREFIX } from '../../platform/facts.ts';
import { PAG_FAULTS } from '../../platform/faults/pag.ts';
import { asObject } from '../../platform/json.ts';
import { readModel } from '../../platform/schema/model.ts';
import { documentOf, type ServedDocument } from '../../platform/schema/served.ts';
import { PAG_TOLERANCES } from '../../platform/tolerances/pag.ts';
import type { Answered, Course, Send } from '../probe.ts';
import { reach } from '../reach/reach.ts';
import type { Reached } from '../world.ts';
import { paginationExperiments } from './experiments.ts';

/** The last list of each kind, which is the one that faults show on. The same ids are there at every start. */
interface Lists {
  readonly lists: readonly Reached[];
  /** They, with what they stand below and what stands below them: the platform is opened anew for each case. */
  readonly served: readonly ServedDocument[];
}

let usual: Lists = { lists: [], served: [] };

beforeAll(async () => {
  usual = await listsOf([]);
});

/** The lists as the documents describe them, with what the deviations describe besides. */
async function listsOf(deviations: readonly Deviation[]): Promise<Lists> {
  const documents = structuredClone(await readModel({}));
  for (const { describe } of deviations)
    describe?.(new Map(documents.map(({ service, root }) => [service, asObject(root)])));
  const descriptions = await Promise.all(documents.map(({ root }) => loadFiles({ 'service.json': root })));
  const all = await reachLists(await openPlatform(), descriptions);
  const lists = [...new Map(all.map((reached) => [kindOf(reached), reached])).values()];
  const paths = lists.map(({ operation }) => operation.path);
  const isNear = (path: string): boolean => {
    const address = path.startsWith(PATH_PREFIX) ? path : PATH_PREFIX + path;
    return paths.some((list) => address.startsWith(list) || list.startsWith(address));
  };
  const served = documents.map(({ service, root }) => {
    const kept = Object.entries(Object(root.paths)).filter(([path]) => isNear(path));
    return documentOf(service, { ...root, paths: Object.fromEntries(kept) } as typeof root);
  });
  return { lists, served };
}

function kindOf({ operation, proof }: Reached): string {
  const names = operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  return `${names.sort().join(' ')} ${proof?.response?.body.startsWith('[')} ${operation.key === ACTIVITY_LOG_OPERATION}`;
}

/**
 * Clauses that are blamed when the lists are examined: by a first look at each, then thoroughly; where a clause is `wanted`,
 * at each limit too, until it is blamed.
 */
async function blamedOn(deviations: readonly Deviation[], wanted: string | null = null): Promise<readonly string[]> {
  const isDescribed = deviations.some(({ describe }) => describe !== undefined);
  const { lists, served } = isDescribed ? await listsOf(deviations) : usual;
  const platform = await openPlatform(deviations, {}, served);
  const blamed = new Set<string>();
  const experiments = lists.flatMap((reached) =>
    paginationExperiments(worldWith(), reached).map((one) => ({
      reached,
      one,
    })),
  );
  for (const { reached, one } of experiments.sort((left, right) => left.one.rank - right.one.rank)) {
    if (wanted === null ? one.rank > 1 : one.rank > 0 && blamed.has(wanted)) break;
    const send = sender(platform, (exchange) => {
      const subject = {
        exchange,
        operation: reached.operation,
        description: reached.description,
        docsUrl: null,
        contract: 'commerce',
        terms: COMMERCE_TERMS,
      } as const;
      for (const check of pagChecks) if (check.applies(subject)) note(blamed, check.clause, check.judge(subject));
    });
    for (const { clause, judgement } of await one.converse(send)) note(blamed, clause, judgement);
  }
  await platform.app.server.close();
  return [...blamed].sort();
}

function note(blamed: Set<string>, clause: string, judgement: Judgement): void {
  if (judgement.kind === 'breached' && judgement.breaches.some(({ weight }) => weight === 'breach')) blamed.add(clause);
}

/** Every list that pages. */
async function reachLists(platform: TestPlatform, descriptions: readonly Description[]): Promise<readonly Reached[]> {
  const world = worldWith();
  const found: Reached[] = [];
  const reads = descriptions.flatMap((description) =>
    description.operations.filter(({ method }) => method === 'GET').map((operation) => ({ description, operation })),
  );
  const depth = (path: string): number => parameterNames(path).length;
  const parentsFirst = reads.toSorted((left, right) => depth(left.operation.path) - depth(right.operation.path));
  for (const { description, operation } of parentsFirst) {
    const arrived = (reached: Reached): void => void found.push(reached);
    await follow(
      reach(world, description, operation, arrived, () => {}),
      sender(platform, () => {}),
    );
  }
  const inOrder = reads.flatMap(({ operation }) => found.filter((reached) => reached.operation === operation));
  return inOrder.filter((reached) => paginationExperiments(world, reached).length > 0);
}

async function follow(course: Course, send: Send): Promise<void> {
  for (let step = course.next(); step.done !== true; ) step = course.next(await send(step.value));
}

function sender(platform: TestPlatform, seen: (exchange: Exchange) => void): Send {
  return async (plan: RequestPlan): Promise<Answered> => {
    const key = plan.credential.kind === 'key' && plan.credential.name === 'std-1' ? 'std-1' : 'ent-1';
    const { status, headers, text } = await platform.send(plan.method, `${plan.path}?${plan.query}`, { key });
    const list = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
    const last = exchangeWith({ plan, status, headers: list, body: text });
    seen(last);
    return { attempts: [last], last };
  };
}

const OTHERS = /^(SCH|SPEC|ERR|AUTH|REQ)-/;

describe('on the reference platform', () => {
  it('nothing is blamed, and lists of all kinds are found', async () => {
    expect(await blamedOn([])).toEqual([]);
    const parameters = usual.lists.map(({ operation }) => operation.parameters.map(({ name }) => name).join(' '));
    for (const names of [/limit offset/, /limit page|page limit/, /limit$/]) {
      expect(parameters.some((own) => names.test(own))).toBe(true);
    }
  });

  it.each(PAG_FAULTS.map((fault) => [fault.id, fault] as const))('%s is blamed on its clause', async (_id, fault) => {
    const blamed = await blamedOn([fault], fault.clause);
    expect(blamed).toContain(fault.clause);
    const allowed = [fault.clause, ...(fault.alsoBreaks ?? [])].filter((clause) => !OTHERS.test(clause));
    expect(blamed.filter((clause) => !allowed.includes(clause))).toEqual([]);
  });

  it.each(PAG_TOLERANCES.map((tolerance) => [tolerance.id, tolerance] as const))(
    '%s is tolerated',
    async (_id, tolerance) => {
      expect(await blamedOn([tolerance])).toEqual([]);
    },
  );
});
