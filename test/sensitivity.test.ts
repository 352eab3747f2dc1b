// Whole runs with `--sensitivity` in virtual time: what they would have noticed of planted defects, and that they judge as before.
import { beforeAll, describe, expect, test } from 'vitest';
import type { RunOptions } from '../src/config/config.ts';
import type { Report } from '../src/contract/report.ts';
import { mergeShards } from '../src/grading/merge.ts';
import type { Deviation } from '../src/platform/deviation.ts';
import { isObject } from '../src/platform/json.ts';
import type { ServedDocument } from '../src/platform/schema/served.ts';
import { smallModel } from '../src/simulation/cases.ts';
import { simulate } from '../src/simulation/simulate.ts';
import { WORLDS } from '../src/simulation/worlds.ts';
import { inTurn, isNightly } from './programme.ts';

let documents: readonly ServedDocument[];
let whole: Report;
beforeAll(async () => {
  documents = await smallModel();
  whole = await run({ sensitivity: true });
});

function run(options: Partial<RunOptions>, deviations: readonly Deviation[] = []): Promise<Report> {
  return simulate({ documents, deviations, world: WORLDS.calm, seed: 1, options });
}

/** Every list is empty, whatever is created. */
const EMPTY: Deviation = {
  id: 'empty-lists',
  clause: 'PAG-07',
  description: 'Every list is empty.',
  hooks: () => ({
    answer(call, answer) {
      const { body } = answer;
      if (call.method !== 'GET' || answer.status !== 200) return answer;
      if (Array.isArray(body)) return { ...answer, body: [] };
      if (!isObject(body) || !Array.isArray(body.data)) return answer;
      return { ...answer, body: { ...body, data: [], total: 0, total_pages: 0 } };
    },
  }),
};

describe('a run that tells what it would have noticed', () => {
  test('notices at least 95 % of what is planted on the embedded platform, in each family', () => {
    const { planted = 0, caught = 0, families = {} } = whole.sensitivity ?? {};
    expect(planted).toBeGreaterThan(250);
    expect(caught / planted).toBeGreaterThanOrEqual(0.95);
    expect(Object.keys(families)).toEqual(
      expect.arrayContaining(['SCH', 'ERR', 'AUTH', 'REQ', 'PAG', 'IDEM', 'LIFE', 'RATE', 'VER', 'HEALTH', 'INT']),
    );
  });

  test('plants what only series of calls, keys and lives of resources show', () => {
    const { clauses = {}, missed = [] } = whole.sensitivity ?? {};
    const ids = ['PAG-12', 'LIFE-05', 'LIFE-07', 'RATE-07'];
    // A second item is made for it where two readings of the first differ: a sound run has none whose answers could be changed.
    expect(missed.filter(({ clause }) => clause === 'LIFE-06').map(({ reason }) => reason)).toEqual(['floor']);
    expect(
      ids.filter((id) => (clauses[id]?.planted ?? 0) === 0 || clauses[id]?.planted !== clauses[id]?.caught),
    ).toEqual([]);
    // Limits of tens of thousands of calls are not spent, and a second row of calls was not needed.
    const ofLimits = missed.filter(({ clause }) => ['RATE-03', 'RATE-04', 'RATE-06', 'RATE-10'].includes(clause));
    expect(new Set(ofLimits.map(({ reason }) => reason))).toEqual(new Set(['floor']));
  });

  test('counts what it caught and what it missed, and nothing twice', () => {
    const { planted = 0, caught = 0, missed = [], families = {}, clauses = {} } = whole.sensitivity ?? {};
    expect(caught + missed.length).toBe(planted);
    for (const counts of [families, clauses]) {
      expect(Object.values(counts).reduce((sum, one) => sum + one.planted, 0)).toBe(planted);
      expect(Object.values(counts).reduce((sum, one) => sum + one.caught, 0)).toBe(caught);
    }
    expect(new Set(missed.map((one) => JSON.stringify(one))).size).toBe(missed.length);
  });

  inTurn(
    () => {
      test('judges as it does without', async () => {
        const { sensitivity: _told, ...judged } = whole;
        const plain = await run({});
        expect(judged).toEqual(plain);
      });
    },
    () => {
      test('says what a budget kept from it', async () => {
        const { sensitivity } = await run({ sensitivity: true, budget: 12 });
        const { planted = 0, caught = 0, missed = [] } = sensitivity ?? {};
        expect(planted).toBe(whole.sensitivity?.planted);
        expect(caught).toBeLessThan(0.8 * planted);
        const reasons = Map.groupBy(missed, ({ reason }) => reason);
        expect([...reasons.keys()].sort()).toEqual(['budget', 'floor']);
        expect(reasons.get('budget')?.length).toBeGreaterThan(100);
      });
    },
    () => {
      test('says what an interruption kept from it', async () => {
        const stop = new AbortController();
        const stopping: Deviation = {
          ...{ id: 'stops', clause: 'PAG-07', description: 'The run is stopped at its hundredth request.' },
          hooks() {
            let calls = 0;
            return {
              answer(_call, answer) {
                calls += 1;
                if (calls === 100) stop.abort();
                return answer;
              },
            };
          },
        };
        const report = await simulate({
          ...{ documents, deviations: [stopping], world: WORLDS.calm, seed: 1, options: { sensitivity: true } },
          stop: stop.signal,
        });
        const { planted, caught = 0, missed = [] } = report.sensitivity ?? {};
        expect(report.run.partial).toBe(true);
        expect(planted).toBe(whole.sensitivity?.planted);
        expect(caught + missed.length).toBe(planted);
        expect(missed.some(({ reason }) => reason === 'interrupted')).toBe(true);
      });
    },
    () => {
      test('plants only what the run was to judge', async () => {
        const { sensitivity } = await run({ sensitivity: true, clauses: ['ERR-04'], budget: 100 });
        expect(Object.keys(sensitivity?.clauses ?? {})).toEqual(['ERR-04']);
      });
    },
  );
});

// Each takes further whole runs. By day src/simulation/simulate.test.ts shows that runs repeat, and test/shards.test.ts that shards merge.
if (isNightly)
  describe('a run that tells what it would have noticed, made again', () => {
    test('says the same for the same seed', async () => {
      expect((await run({ sensitivity: true })).sensitivity).toEqual(whole.sensitivity);
    });

    test('tells in two shards, merged, what is planted in the whole', async () => {
      const parts: Report[] = [];
      for (const index of [1, 2]) parts.push(await run({ sensitivity: true, shard: { index, count: 2 } }));
      const merged = mergeShards(parts).sensitivity;
      expect(merged?.planted).toBe(whole.sensitivity?.planted);
      expect((merged?.caught ?? 0) / (merged?.planted ?? 1)).toBeGreaterThanOrEqual(0.9);
    });

    test('where lists are empty, what only their items show is missed for that', async () => {
      const { sensitivity } = await run({ sensitivity: true }, [EMPTY]);
      const overFull = sensitivity?.missed.filter(({ fault }) => fault === 'pag-05-over-full') ?? [];
      const slices = sensitivity?.clauses['PAG-08'] ?? { planted: 0, caught: 0 };
      const laws = sensitivity?.missed.filter(({ clause }) => clause === 'PAG-06') ?? [];
      const ofItems = ['turn-ignored', 'item-lost', 'item-repeated', 'order-differs'].map((name) => `pag-06-${name}`);
      expect(laws.map(({ fault }) => fault)).toEqual(expect.arrayContaining(ofItems));
      expect(new Set(laws.map(({ reason }) => reason))).toEqual(new Set(['floor']));
      expect(slices.caught).toBe(0);
      expect(overFull.map(({ reason, detail }) => `${reason}: ${detail}`)).toEqual([
        'floor: no item, no page to judge by; a pass needs at least 3 items and 2 pages',
      ]);
    });
  });
