// A second run against a target that gives nothing back: it uses what the first run could not delete.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Report } from '../../src/contract/report.ts';
import { run } from '../../src/index.ts';
import { JOURNAL_FILE, openJournal, readJournal } from '../../src/run/books/journal.ts';
import { type Ground, newGround } from '../interrupting.ts';
import { inTurn } from '../programme.ts';
import { type HarmedTarget, startTarget } from './target.ts';

let ground: Ground;
let target: HarmedTarget;
let refusesCreates = false;
beforeEach(async () => {
  ground = newGround();
  refusesCreates = false;
  target = await startTarget({
    ...{ collections: { pets: 'none' }, folder: ground.cwd, described: withoutList },
    instead(response, { method }) {
      const isRefused = refusesCreates && method === 'POST';
      if (isRefused) response.writeHead(403, { 'content-type': 'application/json' }).end('{"error":"not now"}');
      return isRefused;
    },
  });
});
afterEach(async () => {
  await target.stop();
  ground.remove();
});

/** Lists would show to the second run what the first run left. */
function withoutList(description: Record<string, unknown>): unknown {
  const { '/pets': pets, ...others } = description.paths as Record<string, Record<string, unknown>>;
  const { get: _list, ...rest } = pets ?? {};
  return { ...description, paths: { '/pets': rest, ...others } };
}

const there = (): number => target.left().pets?.length ?? 0;

interface Made {
  readonly report: Report;
  /** Objects that stand now and did not before. */
  readonly more: number;
}

async function judged(name: string): Promise<Made> {
  const before = there();
  const report = await run({ config: target.config, out: join(ground.cwd, 'reports', name) });
  return { report, more: there() - before };
}

const statuses = ({ clauses }: Report): readonly string[] => clauses.map(({ id, status }) => `${id} ${status}`);

const reads = (): readonly string[] => target.seen.filter(({ method }) => method === 'GET').map(({ url }) => url);

/** A run of another time that made these pets and could not delete them, on this target or another. */
function leftBy(name: string, paths: readonly string[], baseUrl = target.baseUrl): void {
  const folder = join(ground.cwd, 'reports', name);
  mkdirSync(folder, { recursive: true });
  const head = { run: name, startedAt: '2026-01-31T12:00:00.000Z', baseUrl, config: null };
  const journal = openJournal(join(folder, JOURNAL_FILE), head);
  for (const made of paths) {
    const intent = { service: 'things', operation: 'POST /pets', path: '/pets', key: 'main' };
    journal.tell(journal.intend(intent), { status: 201, made });
  }
  journal.close();
}

inTurn(
  () => {
    test('each run after the first makes less, and judges the same clauses to the same end', async () => {
      const first = await judged('first');
      const second = await judged('second');
      const third = await judged('third');
      expect([first.more, second.more, third.more]).toEqual([4, 2, 2]);
      expect(statuses(second.report)).toEqual(statuses(first.report));
      expect(statuses(third.report)).toEqual(statuses(first.report));
      expect(second.report.counts.operationsSucceeded).toBe(first.report.counts.operationsSucceeded);
    });
  },
  () => {
    test('what an earlier run left is read at the start, and what was removed since then is made anew', async () => {
      const first = await judged('first');
      const paths = readJournal(join(ground.cwd, 'reports', 'first', JOURNAL_FILE)).flatMap(({ made }) =>
        made.map(({ path }) => path),
      );
      expect(paths).toHaveLength(first.more);
      for (const path of paths) target.take(path);
      expect(there()).toBe(0);
      const before = reads().length;
      const second = await judged('second');
      expect(reads().slice(before)).toEqual(expect.arrayContaining(paths));
      expect(second.more).toBe(first.more);
    });

    test('a journal of another target, of no run, or of nothing is not used', async () => {
      const path = target.put('pets', 'of another time');
      leftBy('elsewhere', [path], 'http://127.0.0.1:9');
      mkdirSync(join(ground.cwd, 'reports', 'broken'));
      writeFileSync(join(ground.cwd, 'reports', 'broken', JOURNAL_FILE), 'no journal');
      const before = reads().length;
      const { more } = await judged('first');
      expect(reads().slice(before)).not.toContain(path);
      expect(more).toBe(4);
    });

    test('without a create that succeeds, an object that an earlier run left is read and changed', async () => {
      const path = target.put('pets', 'of another time');
      leftBy('earlier', [path]);
      refusesCreates = true;
      await judged('first');
      expect(reads()).toContain(path);
      expect(target.seen.some(({ method, url }) => method === 'PUT' && url === path)).toBe(true);
    });
  },
);
