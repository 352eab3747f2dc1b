// What load leaves on a target: k6 creates by the mix, and what it created is counted, bounded, deleted or told.
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Ground, newGround, reportIn, runAssay, startAssay } from '../interrupting.ts';
import { k6Path, WITH_K6 } from '../support/load/k6/k6.ts';
import { type HarmedTarget, startTarget } from './target.ts';
import type { Deletion } from './things.ts';

const LOAD =
  'load: { mix: { "GET /pets": 3, "POST /pets": 1 }, soak: { rate: 20, seconds: 5 }, objectives: { p99Ms: 2000 } }';
const SOAK = ['load', 'soak', '--config', 'assay.config.yaml', '--out', 'out'];

describe.skipIf(k6Path === null)(WITH_K6, () => {
  let ground: Ground;
  let target: HarmedTarget;
  beforeEach(() => {
    ground = newGround();
  });
  afterEach(async () => {
    await target?.stop();
    ground.remove();
  });

  async function begin(pets: Deletion, ...configuration: readonly string[]): Promise<void> {
    target = await startTarget({ collections: { pets }, configuration: [LOAD, ...configuration], folder: ground.cwd });
  }
  const posts = (): number => target.seen.filter(({ method }) => method === 'POST').length;
  const report = () => reportIn(join(ground.cwd, 'out'));

  test('what the mix creates is counted, found by its marks and deleted', async () => {
    await begin('gone');
    const { stdout } = await runAssay(ground, SOAK);
    expect(stdout).toContain(`${posts()} objects created, ${posts()} deleted, 0 left`);
    expect(posts()).toBeGreaterThan(15);
    expect(target.left()).toEqual({ pets: [] });
    expect(target.isUntouched()).toBe(true);
    expect(report()).toMatchObject({ leftovers: [], created: { made: posts(), deleted: posts(), left: 0 } });
  });

  test('what nothing deletes is told of, all of it', async () => {
    await begin('none');
    const { stdout, stderr } = await runAssay(ground, SOAK);
    const left = target.left().pets ?? [];
    expect(left).toHaveLength(posts());
    expect(report().created).toMatchObject({ made: posts(), deleted: 0, left: posts() });
    expect(report().leftovers).toHaveLength(posts());
    expect(stdout).toContain(`${posts()} of POST /pets: no DELETE is described`);
    const foretold = /^assay: creates about (\d+) objects at most, .*; about \1 at most stay, .*: POST \/pets$/m.exec(
      stderr,
    );
    // k6 may begin one more, and reaching the operation takes one.
    expect(posts()).toBeLessThanOrEqual(Number(foretold?.[1]) + 3);
  });

  test('limits.created that the configuration states hold for load: nothing beyond them is sent', async () => {
    await begin('gone', 'limits: { created: { perOperation: 7 } }');
    const { code, stdout } = await runAssay(ground, SOAK);
    expect(code).toBe(3);
    expect(stdout).toMatch(/may create \d+ objects by POST \/pets, and limits\.created leaves room for \d/);
    expect(target.most('pets')).toBeLessThanOrEqual(7);
    expect(target.left()).toEqual({ pets: [] });
  });

  test.each([60, 90, 200])('a budget of %i holds to the request, and pays for the clean-up', async (budget) => {
    await begin('gone');
    await runAssay(ground, [...SOAK, '--budget', String(budget)]);
    expect(target.seen.length).toBeLessThanOrEqual(budget);
    expect(report().counts.requests).toBe(target.seen.length);
    expect(target.left()).toEqual({ pets: [] });
  });

  test('a load that is killed is cleaned up after by assay clean', async () => {
    await begin('gone');
    const run = startAssay(ground, SOAK);
    while (posts() < 12) await new Promise((resolve) => setTimeout(resolve, 20));
    run.child.kill('SIGKILL');
    await run.ended;
    await run.left();
    expect(target.left().pets?.length).toBeGreaterThan(5);
    const { code, stdout } = await runAssay(ground, ['clean', '--run', 'out']);
    expect([code, stdout]).toEqual([0, '']);
    expect(target.left()).toEqual({ pets: [] });
    expect(target.isUntouched()).toBe(true);
    const again = await runAssay(ground, ['clean', '--run', 'out']);
    expect(again.stderr).toBe('assay: 0 objects deleted, nothing is left\n');
  });

  test('a ceiling costs no more objects than limits.created allows', async () => {
    await begin('none', 'limits: { created: { perOperation: 1 } }');
    const args = [
      'load',
      'ceiling',
      '--config',
      'assay.config.yaml',
      '--out',
      'out',
      '--budget',
      '600',
      '--time-limit',
      '30',
    ];
    const { stderr } = await runAssay(ground, args);
    expect(stderr).not.toContain('internal error');
    expect(target.left().pets?.length).toBeLessThanOrEqual(1);
  });
});
