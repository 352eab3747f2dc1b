// The history of runs: `assay report --serve` shows it in a browser until Ctrl-C, read-only and on loopback alone, and
// `assay report --prune` takes old runs out of it.

import { createReadStream, existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { CERTIFICATE_FILE } from '../../certify/statement.ts';
import { systemClock } from '../../clock/system.ts';
import { UsageError } from '../../config/errors.ts';
import { number, plural } from '../../contract/numbers.ts';
import { HISTORY_PATHS, historyPage } from '../../reporters/history/pages.ts';

import { prunable, removeRuns } from '../../run/history/record.ts';
import { HistoryRows } from '../../run/history/rows.ts';
import { checkHistory, pathOf } from '../conform/record-history.ts';
import { EXIT, NoVerdict } from '../process/failure.ts';
import { listeningAt } from '../process/listening.ts';
import { say } from '../process/say.ts';
import { onSignals } from '../process/signals.ts';

export interface ServeFlags {
  readonly history?: string;
  readonly port?: number;
  readonly open?: boolean;
}

const HOST = '127.0.0.1';

/** The history's file. Throws UsageError where none is there, or what is there is no history. */
function existingHistory(file: string | null): string {
  const path = pathOf(file);
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true)
    throw new UsageError(
      'ASSAY_HISTORY_UNREADABLE',
      `there is no history at ${path}`,
      'assay conform records its run there; --history names another file',
    );
  checkHistory(file);
  return path;
}

/** Exit code 0 once a signal ends it. Throws UsageError where there is no history, or the port cannot be opened. */
export async function serveHistory({ history, port = 0, open = false }: ServeFlags): Promise<number> {
  const rows = new HistoryRows(existingHistory(history ?? null));
  const app = historyServer(rows);
  const ended = Promise.withResolvers<void>();
  const release = onSignals(ended.resolve);
  try {
    const url = await listeningAt({ host: HOST, port }, 'the history cannot be served', () =>
      app.listen({ host: HOST, port }),
    );
    process.stdout.write(`${JSON.stringify({ url })}\n`);
    say(`assay: the history is at ${url}; Ctrl-C ends it\n`);
    if (open) {
      const { openPage } = await import('../process/open-page.ts');
      await openPage(url, say);
    }
    await ended.promise;
    return EXIT.pass;
  } finally {
    release();
    await app.close();
    rows.close();
  }
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/** Beside the policy that each page has in itself; no page may be framed, kept, or named to others. */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/**
 * The application, not yet listening. A request that names another host than loopback is refused: a name that somebody else
 * has pointed at this machine would let his pages read these.
 */
export function historyServer(rows: HistoryRows): FastifyInstance {
  const app = Fastify({ forceCloseConnections: true, exposeHeadRoutes: true });
  app.addHook('onRequest', async ({ headers: { host = '' } }, reply) => {
    if (LOOPBACK.includes(URL.parse(`http://${host}`)?.hostname ?? '')) return;
    await reply.code(421).type('text/plain').send('This page is for this machine alone: open it by 127.0.0.1.\n');
  });
  for (const path of HISTORY_PATHS)
    app.get(path, ({ url }, reply) => {
      const { searchParams } = new URL(url, 'http://127.0.0.1');
      return reply.headers(HEADERS).send(historyPage(rows, path, searchParams));
    });
  app.get<{ Params: { run: string; '*': string } }>('/reports/:run/*', ({ params }, reply) => {
    const page = rows.reportPage(params.run, params['*']);
    if (page === null) return reply.callNotFound();
    return reply.headers(HEADERS).send(createReadStream(page));
  });
  app.setNotFoundHandler((_request, reply) => reply.code(404).type('text/plain').send('There is no such page.\n'));
  app.setErrorHandler(({ message }: Error, _request, reply) => {
    process.stderr.write(`assay: a page of the history cannot be made: ${message}\n`);
    return reply.code(500).type('text/plain').send('The page cannot be made; the terminal says why.\n');
  });
  return app;
}

export interface PruneFlags {
  readonly history?: string;
  readonly keepRuns?: number;
  readonly keepDays?: number;
  readonly dryRun?: boolean;
}

const [KEPT_RUNS, KEPT_DAYS] = [100, 90];
const DAY_MS = 24 * 3600 * 1000;

/** Exit code 0. Throws UsageError where there is no history, NoVerdict where it cannot be written. */
export function pruneHistory({
  history,
  keepRuns = KEPT_RUNS,
  keepDays = KEPT_DAYS,
  dryRun = false,
}: PruneFlags): number {
  const file = existingHistory(history ?? null);
  const before = new Date(systemClock.now() - keepDays * DAY_MS).toISOString();
  // A certificate stands beside its report, and usual reports beside the history.
  const isCertified = (run: string): boolean => existsSync(join(dirname(file), run, CERTIFICATE_FILE));
  const { runs, certified, all } = prunable(file, { newest: keepRuns, before }, isCertified);
  const what = `${number(runs.length)} of ${plural(all, 'run')}`;
  const told = dryRun
    ? `${what} would go`
    : runs.length === 0
      ? 'No run goes'
      : `${what} went, ${room(removed(file, runs))} freed`;
  process.stdout.write(
    [
      `${told}.`,
      `Kept: the newest ${number(keepRuns)} of each target, branch and suite, all of the last ${plural(keepDays, 'day')}, and ${plural(certified, 'older run')} with a certificate.`,
      'Folders of reports are left as they are.\n',
    ].join('\n'),
  );
  return EXIT.pass;
}

/** Bytes freed. */
function removed(file: string, runs: readonly string[]): number {
  try {
    return removeRuns(file, runs);
  } catch (error) {
    throw new NoVerdict(
      `the history in ${file} cannot be pruned: ${(error as Error).message}`,
      'end what holds it, or free some room on the disk, and try again',
    );
  }
}

function room(bytes: number): string {
  return bytes < 1_000_000 ? `${number(Math.round(bytes / 1000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
