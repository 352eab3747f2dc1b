// Serves the pages of a history to whoever sits at this machine: read-only, on loopback alone.
import Fastify, { type FastifyInstance } from 'fastify';
import { HISTORY_PATHS, historyPage } from '../../reporters/history/pages.ts';
import type { HistoryRows } from '../../run/history/rows.ts';

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
  app.setNotFoundHandler((_request, reply) => reply.code(404).type('text/plain').send('There is no such page.\n'));
  app.setErrorHandler(({ message }: Error, _request, reply) => {
    process.stderr.write(`assay: a page of the history cannot be made: ${message}\n`);
    return reply.code(500).type('text/plain').send('The page cannot be made; the terminal says why.\n');
  });
  return app;
}
