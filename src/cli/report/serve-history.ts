// `assay report --serve`: looks back over the runs of the history in a browser, until Ctrl-C.
import { statSync } from 'node:fs';
import { UsageError } from '../../config/errors.ts';
import { HistoryRows } from '../../run/history/rows.ts';
import { checkHistory, pathOf } from '../conform/record-history.ts';
import { EXIT } from '../process/failure.ts';
import { listeningAt } from '../process/listening.ts';
import { say } from '../process/say.ts';
import { onSignals } from '../process/signals.ts';
import { historyServer } from './history-server.ts';

export interface ServeFlags {
  readonly history?: string;
  readonly port?: number;
  readonly open?: boolean;
}

const HOST = '127.0.0.1';

/** The history's file. Throws UsageError where none is there, or what is there is no history. */
export function existingHistory(file: string | null): string {
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
