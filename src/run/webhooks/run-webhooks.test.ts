// A run on webhooks from its start to its report: how it waits, how it ends, and what it says.
import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { configWith, optionsWith } from '../../../test/support/run/test-config.ts';
import { simulatedClock } from '../../clock/simulated.ts';
import { systemClock } from '../../clock/system.ts';
import type { WebhookConfig } from '../../config/config.ts';
import type { Report } from '../../contract/report.ts';
import type { Delivery } from '../../exchange/delivery.ts';
import { assertValid } from '../../reporters/formats/json.ts';
import type { StrayErrors } from '../perform/stray-errors.ts';
import { usualWaiting, type Waiting } from './receiving.ts';
import { runWebhooks } from './run-webhooks.ts';

const SECRET = 'the-secret-of-this-test';
const WEBHOOKS: WebhookConfig = { secret: SECRET, header: null, form: null, trigger: null, answers: null };
const WAITING: Waiting = { seconds: 4, quietMs: 300, slowMs: 20, hangMs: 300 };

interface Given {
  readonly webhooks?: Partial<WebhookConfig> | null;
  readonly clauses?: readonly string[];
  readonly timeLimitSeconds?: number | null;
  readonly waiting?: Partial<Waiting>;
  readonly stop?: AbortSignal;
  readonly deliver?: (url: string) => void;
  readonly strays?: StrayErrors;
}

async function run(given: Given = {}): Promise<{ readonly report: Report; readonly said: readonly string[] }> {
  const { webhooks = {}, clauses = [], timeLimitSeconds = null, deliver = () => {} } = given;
  const said: string[] = [];
  const report = await runWebhooks({
    config: configWith({ webhooks: webhooks === null ? null : { ...WEBHOOKS, ...webhooks } }),
    ...{ options: optionsWith({ clauses, timeLimitSeconds }), checks: [], clock: systemClock },
    source: {
      ...{ host: '127.0.0.1', port: 0, env: { PATH: process.env.PATH }, onListening: deliver },
      waiting: { ...WAITING, ...given.waiting },
    },
    ...(given.strays === undefined ? {} : { strays: given.strays }),
    stop: given.stop ?? new AbortController().signal,
    say: (sentence) => said.push(sentence),
  });
  assertValid(report);
  return { report, said };
}

/** Delivers the bodies side by side, each until it is accepted; `sign` is asked for each attempt. */
function delivering(bodies: readonly string[], sign = (body: string, _attempt: number): string | null => hex(body)) {
  return (url: string): void => {
    for (const body of bodies) void deliver(url, body, sign);
  };
}

async function deliver(
  url: string,
  body: string,
  sign: (body: string, attempt: number) => string | null,
): Promise<void> {
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    const signature = sign(body, attempt);
    const headers: Record<string, string> = signature === null ? {} : { 'x-signature': signature };
    const answer = await fetch(url, { method: 'POST', body, headers }).catch(() => null);
    if (answer?.ok === true) return;
    await systemClock.sleep(30);
  }
}

function hex(body: string, key = SECRET): string {
  return createHmac('sha256', key).update(body).digest('hex');
}

function row(report: Report, clause: string) {
  return report.clauses.find(({ id }) => id === clause);
}

const EVENTS = ['{"id":1,"type":"a"}', '{"id":2,"type":"b"}', '{"id":3,"type":"a"}', '{"id":4,"type":"b"}'];

describe('a run', () => {
  it('ends as soon as all is judged, and tells both laws', async () => {
    const { report } = await run({ waiting: { seconds: 60 }, deliver: delivering(EVENTS) });
    expect(report).toMatchObject({ verdict: 'pass', run: { command: 'webhooks', partial: false } });
    expect(report.run.durationMs).toBeLessThan(50_000);
    expect(row(report, 'HOOK-01')).toMatchObject({ status: 'pass', checks: 4 });
    expect(row(report, 'HOOK-02')).toMatchObject({ status: 'pass', checks: 4 });
    expect(row(report, 'HOOK-03')?.status).toBe('observed');
    expect(row(report, 'ERR-04')).toMatchObject({ reasonCode: 'other-command', reason: 'judged by assay conform' });
  });

  it('fails for one delivery that is not signed, with the delivery as evidence and no command to send it again', async () => {
    const sign = (body: string, attempt: number) => (body.includes('"id":4') && attempt === 1 ? null : hex(body));
    const { report } = await run({ deliver: delivering(EVENTS, sign) });
    expect(report.verdict).toBe('fail');
    const [finding] = report.findings;
    expect(finding).toMatchObject({
      ...{ clause: 'HOOK-01', kind: 'violation', cause: 'a delivery carries no signature', curl: null },
      ...{ occurrences: 1, looks: 4 },
    });
    const evidence = report.exchanges.find(({ id }) => id === finding?.exchanges[0]);
    expect(evidence).toMatchObject({ probe: 'webhook delivery', request: { body: EVENTS[3] }, failure: null });
    expect(evidence?.response?.status).toBeGreaterThanOrEqual(200);
  });

  it('fails for a redelivery that is not signed, by HOOK-02 alone', async () => {
    const { report } = await run({ deliver: delivering(EVENTS, (body, attempt) => (attempt > 1 ? null : hex(body))) });
    expect(report.clauses.filter(({ status }) => status === 'fail').map(({ id }) => id)).toEqual(['HOOK-02']);
  });

  it('holds no secret in any text, whatever the sender writes', async () => {
    const body = `{"type":"${SECRET}","token":"${SECRET}"}`;
    const sign = () => `${SECRET} ${hex('other')}`;
    const { report } = await run({ deliver: delivering([body, `plain ${SECRET}`], sign) });
    expect(report.verdict).toBe('fail');
    expect(JSON.stringify(report)).not.toContain(SECRET);
  });
});

describe('without a verdict', () => {
  it('ends a run to which nothing was delivered', async () => {
    const { report } = await run({ waiting: { seconds: 0.4 } });
    expect(report).toMatchObject({
      verdict: 'none',
      run: { partial: false, note: expect.stringMatching(/^nothing was delivered within \d+ s$/) },
    });
    for (const clause of ['HOOK-01', 'HOOK-02', 'HOOK-03'])
      expect(row(report, clause)).toMatchObject({ status: 'not-tested', reasonCode: 'precondition', checks: 0 });
  });

  it('ends a run without a secret, which observes all the same', async () => {
    const { report } = await run({ webhooks: null, deliver: delivering(EVENTS) });
    expect(report.verdict).toBe('none');
    for (const clause of ['HOOK-01', 'HOOK-02'])
      expect(row(report, clause)).toMatchObject({ status: 'not-tested', reasonCode: 'no-credential' });
    expect(row(report, 'HOOK-03')?.status).toBe('observed');
  });

  it('ends a run that was interrupted; what was found before counts', async () => {
    const stop = new AbortController();
    const { report } = await run({ stop: stop.signal, deliver: () => stop.abort() });
    expect(report).toMatchObject({ verdict: 'none', run: { partial: true, broken: true } });
    expect(row(report, 'HOOK-01')?.reasonCode).toBe('interrupted');
  });
});

it('the time limit cuts a run short, and what was judged counts', async () => {
  const once = (url: string): void => {
    void fetch(url, { method: 'POST', body: 'a', headers: { 'x-signature': hex('a') } });
  };
  const { report } = await run({ timeLimitSeconds: 1, waiting: { seconds: 60 }, deliver: once });
  expect(report).toMatchObject({ verdict: 'pass', run: { partial: true, note: 'the time limit was reached' } });
  expect(row(report, 'HOOK-02')?.status).toBe('not-tested');
});

describe('one clause', () => {
  it('is judged alone, and nothing is refused for signatures alone', async () => {
    const { report } = await run({ clauses: ['HOOK-01'], deliver: delivering(EVENTS) });
    expect(row(report, 'HOOK-01')).toMatchObject({ status: 'pass', checks: 4 });
    expect(row(report, 'HOOK-02')).toMatchObject({ status: 'not-tested', reasonCode: 'filtered' });
    expect(report.counts.requests).toBe(4);
  });
});

describe('the trigger', () => {
  const script = `fetch(process.env.ASSAY_WEBHOOK_URL, { method: 'POST', body: 'x' })`;

  it('makes the platform deliver', async () => {
    const trigger = [process.execPath, '-e', script];
    const { report } = await run({ webhooks: { trigger }, clauses: ['HOOK-01'], waiting: { seconds: 30 } });
    expect(report.counts.requests).toBe(1);
  });

  it('that fails is told, its output too, and the run does not wait in vain', async () => {
    const trigger = [process.execPath, '-e', `console.error('no shop', '${SECRET}'); process.exitCode = 2`];
    const { report, said } = await run({ webhooks: { trigger }, waiting: { seconds: 60 } });
    expect(report.verdict).toBe('none');
    expect(report.run.note).toMatch(/nothing was delivered .*; the trigger failed: node\S* ended with 2$/);
    expect(said.join()).toContain('no shop [redacted webhook secret]');
  });

  it('that still runs when the time is up is ended', async () => {
    const trigger = [process.execPath, '-e', 'setInterval(() => {}, 1000)'];
    const { report } = await run({ webhooks: { trigger }, waiting: { seconds: 0.5 } });
    expect(report.run.note).not.toContain('trigger');
  });
});

/** Judges a recording, as far as it says. */
function judge(deliveries: readonly Delivery[]): Promise<Report> {
  return runWebhooks({
    config: configWith({ webhooks: WEBHOOKS }),
    ...{ options: optionsWith(), checks: [], clock: simulatedClock(), source: { recorded: deliveries } },
    ...{ stop: new AbortController().signal, say: () => {} },
  });
}

describe('a recording', () => {
  const recorded = (body: string, signature: string, rest: Partial<Delivery> = {}): Delivery => ({
    ...{ id: 'delivery-1', at: 0, method: 'POST', path: '/', body: Buffer.from(body), answer: null },
    headers: [['x-signature', signature]],
    ...rest,
  });

  it('is judged like deliveries received, but for what it does not say', async () => {
    const right = await judge([recorded('a', hex('a'))]);
    assertValid(right);
    expect(right).toMatchObject({ verdict: 'pass', run: { durationMs: 0 } });
    expect(row(right, 'HOOK-02')?.reason).toBe('the recording does not say what was answered (status)');
    expect((await judge([recorded('a', hex('b'))])).verdict).toBe('fail');
    expect((await judge([])).run.note).toBe('nothing was delivered in the recording');
    const answer = { status: 500, said: '500', afterMs: 0, senderLeft: false };
    const again = await judge([recorded('a', hex('a'), { answer }), recorded('a', hex('b'))]);
    expect(again.clauses.filter(({ status }) => status === 'fail').map(({ id }) => id)).toEqual(['HOOK-02']);
  });
});

describe('a recording with requests that are no deliveries', () => {
  const bare = (method: string, path: string, body = ''): Delivery => ({
    ...{ id: `${method} ${path}`, at: 0, method, path, headers: [], body: Buffer.from(body), answer: null },
  });

  it('is judged by its deliveries, and tells how many others there were', async () => {
    const delivery: Delivery = { ...bare('POST', '/', 'a'), headers: [['x-signature', hex('a')]] };
    const handshakes = [
      bare('GET', '/?hub.challenge=1'),
      bare('POST', '/', '{"type":"url_verification","challenge":"a"}'),
    ];
    const report = await judge([...handshakes, bare('HEAD', '/'), bare('OPTIONS', '/'), bare('GET', '/'), delivery]);
    expect(row(report, 'HOOK-01')).toMatchObject({ status: 'pass', checks: 1 });
    expect(report.counts.requests).toBe(1);
    expect(report.run.note).toBe(
      '2 handshakes not judged: hub.challenge (Meta, WebSub), url_verification (Slack, Lark); 3 requests not judged, by methods that deliver nothing',
    );
  });

  it('has no verdict where there is nothing else', async () => {
    const report = await judge([bare('GET', '/?challenge=a')]);
    expect(report).toMatchObject({ verdict: 'none', counts: { requests: 0 } });
  });

  it.each([
    ['without a body', bare('POST', '/')],
    ['by another method, with a body', bare('DELETE', '/', 'a')],
    ['by GET, with a wrong signature', { ...bare('GET', '/'), headers: [['x-signature', hex('b')]] as const }],
  ])('still fails for what is delivered %s', async (_how, delivery) => {
    expect((await judge([delivery])).clauses.filter(({ status }) => status === 'fail')).toHaveLength(1);
  });
});

it('the longer a run may take, the longer it waits for what comes late', () => {
  expect([5, 60, 3600].map((seconds) => usualWaiting(seconds).quietMs)).toEqual([2000, 6000, 10_000]);
});

it('an error that nothing waited for leaves no verdict, and the report says so', async () => {
  const strays: StrayErrors = (note) => {
    note(new RangeError('boom'));
    return () => {};
  };
  const { report } = await run({ strays, waiting: { seconds: 0.2 } });
  expect(report).toMatchObject({ verdict: 'none', run: { broken: true } });
  expect(report.clauses.find(({ id }) => id === 'HOOK-01')).toMatchObject({
    reasonCode: 'harness-error',
    reason: 'Assay itself failed: RangeError',
  });
});
