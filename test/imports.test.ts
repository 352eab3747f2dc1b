// The order of the rooms, held: a folder of src/ imports only folders above it, nothing goes in a circle, one folder
// talks to the target, and three serve.
import { describe, expect, test } from 'vitest';
import { ENTRIES } from '../src/contract/clauses.ts';
import { packageOf, reachable, SOURCES, shipped } from './sources.ts';

/** In the order of dependency: a room imports only rooms before it. */
const STACK = [
  'clock',
  'contract',
  'exchange',
  'openapi',
  'generate',
  'facts',
  'wording',
  'limiters',
  'defects',
  'checks',
  'probes',
  'client',
  'grading',
  'load',
  'sensitivity',
  'run',
  'simulation',
  'reporters',
  'certify',
  'cli',
];
/** Rooms beside the stack: what they import, and who imports them. */
const BESIDE: Readonly<Record<string, { imports: readonly string[]; importedBy: readonly string[] }>> = {
  disk: { imports: ['clock', 'contract'], importedBy: [...STACK.slice(STACK.indexOf('openapi')), 'platform'] },
  config: { imports: ['contract'], importedBy: STACK.slice(STACK.indexOf('probes')).concat('index.ts') },
  platform: { imports: ['clock', 'contract', 'defects', 'disk', 'openapi'], importedBy: ['simulation', 'cli'] },
  receiver: { imports: ['clock', 'contract', 'exchange'], importedBy: ['run', 'cli'] },
  proxy: { imports: ['clock', 'exchange', 'client'], importedBy: ['cli'] },
  telemetry: { imports: ['clock', 'contract', 'exchange'], importedBy: ['cli'] },
};
/** The package's barrel shows these: how it is run and extended, and the types that takes. */
const BARREL = {
  name: 'index.ts',
  imports: ['contract', 'config', 'exchange', 'openapi', 'checks', 'reporters', 'cli'],
};
/** Descriptions that are URLs are fetched while loading, below the client; nothing there knows the target. */
const DESCRIPTION_FETCHER = 'src/openapi/read/source.ts';
/** The reference platform calls receivers of webhooks back, and knows no target either. */
const CALLING_BACK = 'src/platform/webhooks/';
/** They look at addresses, certificates and who is trusted, or send by node:http what undici does not, and listen nowhere. */
const LISTENING_NOWHERE = [
  'src/client/forward-expecting.ts',
  'src/client/handshake.ts',
  'src/client/network.ts',
  'src/client/tls.ts',
  'src/client/unasked-continue.ts',
  'src/config/proxies.ts',
];
/** Shows people what the history holds, on loopback alone; no judgement passes it. */
const HISTORY_SERVER = 'src/cli/report/history.ts';
const SERVING = ['node:http', 'node:https', 'node:http2', 'node:net', 'node:tls', 'node:dgram', 'fastify'];

const isTest = (path: string) => /\.test(-d)?\.ts$/.test(path);
const files = [...SOURCES.values()].filter(({ path }) => path.startsWith('src/') && !isTest(path));

function roomOf(path: string): string {
  return path.split('/')[1] ?? '';
}

function isAllowed(from: string, to: string): boolean {
  if (from === to) return true;
  if (from === BARREL.name) return BARREL.imports.includes(to);
  const beside = BESIDE[from];
  if (beside !== undefined) return beside.imports.includes(to);
  if (BESIDE[to] !== undefined) return BESIDE[to].importedBy.includes(from);
  return STACK.includes(to) && STACK.indexOf(to) < STACK.indexOf(from);
}

/** One circle as the paths along it, or null. Depth first; a file is left for good once all it reaches is known. */
function findCircle(graph: ReadonlyMap<string, readonly string[]>): readonly string[] | null {
  const done = new Set<string>();
  const trail: string[] = [];
  function visit(path: string): readonly string[] | null {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    if (done.has(path)) return null;
    trail.push(path);
    for (const next of graph.get(path) ?? []) {
      const circle = visit(next);
      if (circle !== null) return circle;
    }
    trail.pop();
    done.add(path);
    return null;
  }
  for (const path of graph.keys()) {
    const circle = visit(path);
    if (circle !== null) return circle;
  }
  return null;
}

/** Shipped files that import one of the packages: what only tests use may serve and ask as it likes. */
function importersOf(...packages: readonly string[]): readonly string[] {
  return shipped()
    .filter(({ imports }) => imports.some((name) => packages.includes(packageOf(name))))
    .map(({ path }) => path);
}

describe('the rooms of src/', () => {
  test('are those of the design', () => {
    const known = [...STACK, ...Object.keys(BESIDE), BARREL.name];
    expect(files.map((source) => roomOf(source.path)).filter((room) => !known.includes(room))).toEqual([]);
  });

  test('import only rooms above them', () => {
    const wrong = files.flatMap((source) =>
      source.targets
        .filter((target) => !isAllowed(roomOf(source.path), roomOf(target)))
        .map((target) => `${source.path} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test('stay inside src/, apart from data', () => {
    const outside = files.flatMap((source) => source.targets.filter((target) => !target.startsWith('src/')));
    expect(outside.filter((target) => target.endsWith('.ts'))).toEqual([]);
  });

  test('hold no circle of files', () => {
    expect(findCircle(new Map(files.map((source) => [source.path, source.targets])))).toBeNull();
  });

  test('hold no file that neither the package nor a test reaches', () => {
    const used = reachable([...SOURCES.keys()].filter(isTest));
    const ships = new Set(shipped());
    expect(files.filter((source) => !ships.has(source) && !used.has(source.path)).map(({ path }) => path)).toEqual([]);
  });

  test('are cut by subjects: few files serve one other file alone', () => {
    // A file that judges a clause, says what is known of a family's or how a contract binds them, is found by the clause's id.
    const found = new Set(ENTRIES.flatMap(({ judges }) => judges.map((judge) => `src/${judge}.ts`)));
    const isFound = (path: string): boolean => found.has(path) || /^src\/contract\/(bindings|clauses)\//.test(path);
    const all = [...SOURCES.values()].filter(({ path }) => path.startsWith('src/') && !isTest(path));
    const sources = all.filter(({ path }) => !isFound(path));
    const importers = Map.groupBy(
      all.flatMap(({ targets }) => [...new Set(targets)]),
      (target) => target,
    );
    const lone = sources.filter(({ path }) => importers.get(path)?.length === 1);
    const message =
      `${lone.length} of ${sources.length} files of src/ are imported by one other file alone, at most 27 % may be: ` +
      'move a short one that judges no clause into the file that imports it';
    expect(lone.length / sources.length, message).toBeLessThanOrEqual(0.27);
  });

  test('are not imported through a barrel', () => {
    expect(files.filter((source) => source.targets.some((target) => target.endsWith('/index.ts')))).toEqual([]);
  });
});

describe('sockets', () => {
  test('to the target are opened by src/client alone, on undici', () => {
    const others = importersOf('undici').filter(
      (path) => path !== DESCRIPTION_FETCHER && !path.startsWith(CALLING_BACK),
    );
    expect(others.length).toBeGreaterThan(0);
    expect(others.filter((path) => roomOf(path) !== 'client')).toEqual([]);
  });

  test('are listened on by src/platform, src/receiver and src/proxy alone, and by the history', () => {
    const importers = importersOf(...SERVING).filter((path) => ![...LISTENING_NOWHERE, HISTORY_SERVER].includes(path));
    expect(new Set(importers.map(roomOf))).toEqual(new Set(['platform', 'receiver', 'proxy']));
  });
});

test('tester and tested share no judging code: the platform takes nothing of openapi but its loading', () => {
  const taken = files
    .filter((source) => roomOf(source.path) === 'platform')
    .flatMap((source) =>
      source.targets.filter((target) => /^src\/openapi\/.*(valid|dialect|compile|ajv)/.test(target)),
    );
  expect(taken).toEqual([]);
});
