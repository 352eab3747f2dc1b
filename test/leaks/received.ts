// What the commands write that judge others: senders of webhooks and clients that give back secrets, as drawn, and traffic that
// carries them. The texts of error.message count as secrets of a client's run, too.
import { simulatedClock } from '../../src/clock/simulated.ts';
import type { Report } from '../../src/contract/report.ts';
import { type Delivery, plainOf } from '../../src/exchange/delivery.ts';
import { createRedactor } from '../../src/exchange/redaction.ts';
import { trafficReport } from '../../src/run/traffic/report.ts';
import { TrafficJudge } from '../../src/run/traffic/traffic-judge.ts';
import { runWebhooks } from '../../src/run/webhooks/run-webhooks.ts';
import { judged } from '../clients/in-memory.ts';
import { loadShop } from '../support/probes/world.ts';
import { configWith, optionsWith } from '../support/run/test-config.ts';
import { type Draw, type DrawnSecret, WRITINGS } from './drawing.ts';
import { contentOf, fitForHeader, planOf } from './exchanges.ts';

/** The report of one of the commands, by its name, and secrets that came up meanwhile: they must stand nowhere either. */
export async function receivedReport(
  draws: readonly Draw[],
): Promise<{ readonly name: string; readonly report: Report; readonly secrets: readonly DrawnSecret[] }> {
  const turn = (draws[0]?.secrets[0]?.value.length ?? 0) % 3;
  if (turn === 0) return { name: 'client', ...(await clientReport(draws)) };
  if (turn === 1) return { name: 'webhooks', report: await webhooksReport(draws), secrets: [] };
  return { name: 'check', report: checkReport(draws), secrets: [] };
}

/** Deliveries whose headers and bodies hold what a target would give back; the first one carries a signature that is wrong. */
async function webhooksReport(draws: readonly Draw[]): Promise<Report> {
  const secrets = draws.flatMap((draw) => draw.secrets);
  const clock = simulatedClock();
  const webhooks = { secret: secrets[0]?.value ?? '', header: null, form: null, trigger: null, answers: null };
  const deliveries = draws.map((draw, index) => deliveryOf(draw, index));
  return clock.drive(
    runWebhooks({
      ...{ config: configWith({ secrets, webhooks }), options: optionsWith(), checks: [], clock },
      ...{ source: { recorded: deliveries }, stop: new AbortController().signal, say: () => {} },
    }),
  );
}

function deliveryOf(draw: Draw, index: number): Delivery {
  const { path, query, headers: own } = planOf(draw);
  const { headers, body } = contentOf(draw.echoes, draw.status);
  const signature: readonly (readonly [string, string])[] = index === 0 ? [['x-signature', 'ab'.repeat(32)]] : [];
  const received = {
    headers: [...headers, ...own.map(([name, value]) => [name.toLowerCase(), value] as const), ...signature],
    body: Buffer.from(body),
  };
  return {
    ...{ id: `delivery-${index + 1}`, at: Date.UTC(2026, 6, 1), method: 'POST' },
    ...{ path: `${path}${query === '' ? '' : `?${query}`}`, ...received, ...plainOf(received) },
    answer: { status: index % 2 === 0 ? 500 : 200, said: 'scripted', afterMs: 1, senderLeft: false },
  };
}

/** A client that tries too early and gives back its token and what it read, in headers, in queries and in its errors. */
async function clientReport(draws: readonly Draw[]): Promise<{ report: Report; secrets: readonly DrawnSecret[] }> {
  const known = draws.flatMap((draw) => draw.secrets);
  const echoes = draws.flatMap((draw) => draw.echoes).map(({ text }) => text);
  const tokens = new Set<string>();
  const messages = new Set<string>();
  let turn = draws.length;
  const write = (text: string): string => WRITINGS[turn++ % WRITINGS.length]?.(text) ?? text;
  const report = await judged(
    {
      wait: ({ attempt }) => (attempt < 7 ? 20 : null),
      headers: (_call, token) => {
        tokens.add(token);
        return {
          authorization: `Bearer ${token}`,
          'x-debug': fitForHeader(write(token)),
          'x-echo': fitForHeader(echoes[turn % Math.max(1, echoes.length)] ?? ''),
        };
      },
      query: () => `debug=${encodeURIComponent(write([...tokens].at(-1) ?? '').toWellFormed())}`,
      onError: ({ body }, { log }) => {
        const { message } = JSON.parse(body || '{"error":{}}').error;
        if (typeof message === 'string') messages.add(/jane\.roe\.(\w+)@/.exec(message)?.[1] ?? message);
        log(body);
      },
    },
    { clauses: ['CLIENT-01', 'CLIENT-02', 'CLIENT-11'], secrets: known },
  );
  const found = [...tokens, ...messages].map((value, index) => ({ name: `of the client ${index}`, value }));
  return { report, secrets: found };
}

const shop = await loadShop();

/** Of what a bearer token consists. */
const TOKEN = /^[\w.~+/=:-]{16,}$/;

/** Recorded traffic under the first secret of each draw, which no configuration names where it is a token; others are configured. */
function checkReport(draws: readonly Draw[]): Report {
  const configured = draws.flatMap(({ secrets }) =>
    secrets.filter(({ value }, index) => index > 0 || !TOKEN.test(value)),
  );
  const redactor = createRedactor(configured);
  const judge = new TrafficJudge({
    ...{ config: configWith(), options: optionsWith(), descriptions: [shop], checks: [], redactor },
    ...{ clock: simulatedClock(), bases: [], seesTokens: true },
  });
  for (const [index, draw] of draws.entries()) {
    const { path, query, method } = planOf(draw);
    const { headers, body } = contentOf(draw.echoes, draw.status);
    const token = draw.secrets[0]?.value ?? '';
    judge.observe({
      place: `drawn#/${index}`,
      request: {
        ...{ method, url: `http://127.0.0.1:8080${path}${query === '' ? '' : `?${query}`}`, isComplete: true },
        headers: [['authorization', `Bearer ${fitForHeader(token)}`]],
        body: { kind: 'none' },
      },
      answer: { status: draw.status, headers, body: { content: body, isWhole: true } },
      times: { sentAt: Date.UTC(2026, 6, 1) + index, durationMs: 1, waitedMs: 1 },
    });
  }
  const report = trafficReport(judge, {
    ...{ command: 'check', runId: 'run-7', startedAtMs: 0, endedAtMs: 1, cut: null, notes: [] },
  });
  judge.close();
  return report;
}
