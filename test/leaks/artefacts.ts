// Draws go through the recorder, the checks and the run's books into a report, and that through everything that writes or
// prints: the result is every text that a run leaves or says.
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { writeCertificate } from '../../src/certify/write.ts';
import { tellFailure } from '../../src/cli/process/failure.ts';
import { keepSecret, unsaid } from '../../src/cli/process/say.ts';
import { createRecorder } from '../../src/client/record.ts';
import { codeOf } from '../../src/contract/code.ts';
import { breached, noting } from '../../src/contract/judgement.ts';
import type { Report } from '../../src/contract/report.ts';
import type { Exchange } from '../../src/exchange/exchange.ts';
import { createRedactor } from '../../src/exchange/redaction.ts';
import { sealed } from '../../src/exchange/sealed.ts';
import type { Redactor } from '../../src/exchange/secrets/known-secrets.ts';
import { Concealer, prepared, preparedAll } from '../../src/load/samples/concealed.ts';
import { limitHeaders, sampleOf } from '../../src/load/samples/exchange.ts';
import { lineOf } from '../../src/load/samples/line.ts';
import { exported } from '../../src/reporters/exports/exported.ts';
import { EXPORT_FORMATS } from '../../src/reporters/exports/formats.ts';
import { writePerformed, writeReports } from '../../src/reporters/files.ts';
import { annotations, jsonSummary } from '../../src/reporters/formats/printed.ts';
import { HISTORY_PATHS, historyPage } from '../../src/reporters/history/pages.ts';
import { summarise } from '../../src/reporters/terminal/terminal.ts';
import { buildReport } from '../../src/run/books/report.ts';
import { recordRun } from '../../src/run/history/record.ts';
import { HistoryRows } from '../../src/run/history/rows.ts';
import { loadShop } from '../support/probes/world.ts';
import { benchWith, factsOf } from '../support/run/test-session.ts';
import type { Draw } from './drawing.ts';
import { asRecord, attemptOf } from './exchanges.ts';
import { receivedReport } from './received.ts';
import type { Artefact } from './search.ts';
import { exportedOf } from './spans.ts';

const BYTE_LIMIT = 1024 * 1024;
const shop = await loadShop();

/** What runs of these draws leave and say, and secrets that came up only meanwhile. */
export async function artefactsOf(
  draws: readonly Draw[],
): Promise<{ readonly artefacts: readonly Artefact[]; readonly secrets: readonly string[] }> {
  const secrets = draws.flatMap((draw) => draw.secrets);
  const redactor = createRedactor(secrets);
  const recorder = createRecorder({ baseUrl: 'http://127.0.0.1:8080', redactor, byteLimit: BYTE_LIMIT });
  const exchanges = draws.map((draw, index) => recorder.record(attemptOf(draw, `ex-${index + 1}`)));
  const report = reportOf(exchanges, redactor);
  const folder = await mkdtemp(join(tmpdir(), 'assay-leaks-'));
  try {
    const { paths } = await writeReports(report, folder);
    await writePerformed(report, new Set(['one']), folder);
    recordRun(join(folder, 'history.db'), report);
    const looks = historyPages(join(folder, 'history.db'));
    await certify(report, folder, draws, redactor);
    const received = await receivedReport(draws);
    await writeReports(received.report, join(folder, received.name));
    const { name, report: other } = received;
    const summaries = [
      { name: `terminal of ${name}`, text: summarise(other, paths, { color: false, width: 120 }) },
      { name: `--json of ${name}`, text: JSON.stringify(jsonSummary(other, paths)) },
      { name: `annotations of ${name}`, text: annotations(other).join('\n') },
    ];
    return {
      secrets: received.secrets.map(({ value }) => value),
      artefacts: [
        ...summaries,
        ...looks,
        ...(await filesBelow(folder)),
        { name: 'terminal', text: summarise(report, paths, { color: false, width: 120 }) },
        { name: 'annotations', text: annotations(report).join('\n') },
        { name: '--json', text: JSON.stringify(jsonSummary(report, paths)) },
        ...EXPORT_FORMATS.map((format) => ({ name: `--export ${format}`, text: exported(report, format, 'run').text })),
        { name: 'OTLP', text: exportedOf(exchanges, report, redactor) },
        { name: 'samples', text: samplesOf(draws, exchanges, redactor) },
        { name: 'messages', text: messagesOf(draws) },
      ],
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** What `assay report --serve` shows of a history. */
function historyPages(file: string): readonly Artefact[] {
  const rows = new HistoryRows(file);
  try {
    const query = new URLSearchParams({ left: 'run-7', right: 'run-7' });
    return HISTORY_PATHS.map((path) => ({ name: `history${path}.html`, text: historyPage(rows, path, query) }));
  } finally {
    rows.close();
  }
}

/** Texts that stand in artefacts, and are ours. */
export const KNOWN: ReadonlySet<string> = new Set([
  readFileSync(
    join(dirname(createRequire(import.meta.url).resolve('echarts/package.json')), 'dist', 'echarts.min.js'),
    'utf8',
  ),
]);

/** As a run makes it, every exchange judged and quoted wherever a check could quote one. */
function reportOf(exchanges: readonly Exchange[], redactor: Redactor): Report {
  const bench = benchWith(shop, () => ({}));
  const { ledger, events } = bench;
  for (const exchange of exchanges) events.tell({ kind: 'exchange', exchange });
  for (const exchange of exchanges) quote(exchange, ledger);
  const [first] = exchanges;
  const said = first === undefined ? '' : quotedOf(first);
  const ended = { reasonCode: 'target-lost', reason: `this is not the platform: ${said}` } as const;
  const report = buildReport(factsOf(bench, { redactor, ended }));
  const leftovers = exchanges.map(quotedOf);
  return sealed({ ...report, leftovers, load: { plans: [], told: { why: said, evidence: [said] } } }, redactor);
}

function quote(exchange: Exchange, ledger: ReturnType<typeof benchWith>['ledger']): void {
  const said = quotedOf(exchange);
  const spot = { service: 'admin', operation: 'GET /api/v1/products/{productId}' };
  const breach = {
    weight: 'breach',
    code: codeOf('AUTH-02', 'said', said),
    cause: `cause ${exchange.id}`,
    message: said,
    expected: said,
    actual: said,
  } as const;
  const row = { subject: 'a subject', value: said, confidence: 'sure', calls: 1, basis: said } as const;
  ledger.book('AUTH-02', spot, noting(breached([{ ...breach, pointer: `/data/${said}` }]), [row]), [exchange]);
  ledger.bookUntested('AUTH-03', spot, 'precondition', said);
}

function quotedOf({ request, response, failure }: Exchange): string {
  const headers = response?.headers.map((header) => header.join(': ')) ?? [];
  return [request.url, ...headers, response?.body ?? failure?.message ?? ''].join(' ').slice(0, 3000);
}

async function certify(report: Report, folder: string, draws: readonly Draw[], redactor: Redactor): Promise<void> {
  const hook = draws[0]?.secrets[0]?.value ?? '';
  await writeCertificate({
    ...{
      report,
      folder,
      selfCheck: null,
      accept: {},
      issuer: null,
      subject: [],
      toolDigest: '0'.repeat(64),
      k6: null,
      key: null,
    },
    configuration: sealed({ target: { baseUrl: 'http://127.0.0.1' }, later: { secret: hook } }, redactor),
  });
}

/** What k6 and the run's own client write of answers under load. */
function samplesOf(draws: readonly Draw[], exchanges: readonly Exchange[], redactor: Redactor): string {
  const secrets = draws.flatMap((draw) => draw.secrets).map(({ name, value }) => prepared(name, value));
  const concealer = new Concealer(
    () => secrets,
    () => preparedAll(secrets),
  );
  const lines = exchanges.map((exchange) =>
    lineOf(sampleOf(exchange, 'one', (text) => redactor.conceal(text), limitHeaders(null))),
  );
  for (const [index, draw] of draws.entries()) {
    const { outcome } = attemptOf(draw, 'ex');
    if ('failure' in outcome) continue;
    const { headers, body } = outcome.received;
    const answer = {
      method: 'GET',
      path: '/',
      startMs: 0,
      durationMs: 1,
      headers: asRecord(headers),
      body: body.toString(),
    };
    const line = { kind: 'body', step: 'one', key: 'k', operation: `GET /${index}`, status: 200 } as const;
    lines.push(lineOf({ ...line, answer: concealer.answer(answer) }));
  }
  return lines.join('\n');
}

/** Errors of ours that quote what they met. */
function messagesOf(draws: readonly Draw[]): string {
  const secrets = draws.flatMap((draw) => draw.secrets);
  keepSecret(secrets);
  let said = '';
  const write = (text: string): void => {
    said += unsaid(text);
  };
  for (const { value } of secrets)
    tellFailure(new Error(`Unexpected token, "${value}" is not JSON`), write, { ASSAY_DEBUG: '1' });
  return said;
}

/** Every file below the folder, by its path from there. */
export async function filesBelow(folder: string): Promise<readonly Artefact[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    files.map(async (file) => ({
      name: relative(folder, file),
      text: await readFile(file, file.endsWith('.db') ? 'latin1' : 'utf8'),
    })),
  );
}
