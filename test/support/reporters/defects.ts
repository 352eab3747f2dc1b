// Defects with the answers that show them and the sound ones, as violations of a report and as a server that has them or not.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Finding, Report, ReportedExchange } from '../../../src/contract/report.ts';
import { sampleReport } from './sample-report.ts';

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface Defect {
  readonly code: string;
  readonly expected?: string;
  readonly pointer?: string;
  readonly method?: string;
  readonly sent?: string;
  readonly headers?: readonly (readonly [string, string])[];
  readonly credential?: string;
  readonly finding?: Partial<Finding>;
  /** Statuses that the description declares. */
  readonly declared?: readonly string[];
  /** null: the connection ends. */
  readonly shown: Answer | null;
  readonly sound: Answer;
}

const ok = (body: unknown, headers: Readonly<Record<string, string>> = {}): Answer => ({ status: 200, body, headers });
const refusal = (error: unknown): Answer => ({ status: 404, body: { error } });
const key = ['Authorization', 'Bearer [redacted key std-1]'] as const;
const json = ['Content-Type', 'application/json'] as const;

/** One for each kind of breach that one answer tells. */
export const DEFECTS: readonly Defect[] = [
  {
    code: 'sch-06.answered-500.sound',
    method: 'POST',
    sent: '{"name":"`\\x` é 日本"}',
    headers: [json],
    shown: { status: 500 },
    sound: { status: 201 },
  },
  { code: 'req-09.dropped', shown: null, sound: ok({}) },
  {
    ...{ code: 'req-04.accepted.price', method: 'PUT', sent: '{"price":[]}', headers: [json] },
    ...{ shown: ok({}), sound: { status: 422 } },
  },
  { code: 'auth-01.accepted.no-token', credential: 'no token', shown: ok({}), sound: { status: 401 } },
  { code: 'sch-01.not-json', pointer: '', shown: ok('<p>'), sound: ok({}) },
  {
    code: 'sch-01.breaks.required./*/name',
    pointer: '/1/name',
    shown: ok([{ name: 'a' }, {}]),
    sound: ok([{ name: 'a' }]),
  },
  {
    ...{
      code: 'sch-01.breaks.type.Price/*/amount',
      pointer: '/prices/EUR/amount',
      finding: { wanted: ['integer', 'null'] },
    },
    ...{
      shown: ok({ prices: { EUR: { amount: '1' } } }),
      sound: ok({ prices: { EUR: { amount: 1 }, USD: { amount: null } } }),
    },
  },
  {
    code: 'sch-01.breaks.enum./state',
    pointer: '/state',
    finding: { wanted: ['open', 'shut'] },
    shown: ok({ state: 'x' }),
    sound: ok({ state: 'shut' }),
  },
  {
    code: 'sch-01.breaks.const./kind',
    pointer: '/kind',
    finding: { wanted: ['pet'] },
    shown: ok({ kind: null }),
    sound: ok({ kind: 'pet' }),
  },
  {
    ...{ code: 'sch-02.undeclared', finding: { wanted: ['application/*+json', 'application/json'] } },
    ...{
      shown: ok('x', { 'content-type': 'text/html' }),
      sound: ok({}, { 'content-type': 'application/json; charset=utf-8' }),
    },
  },
  { code: 'sch-04.absent.x-total', shown: ok([]), sound: ok([], { 'X-Total': '0' }) },
  { code: 'sch-05.undeclared.202', declared: ['200', '3XX'], shown: { status: 202 }, sound: { status: 304 } },
  { code: 'sch-08.undeclared.418', declared: ['200'], shown: { status: 418 }, sound: { status: 404 } },
  { code: 'err-01.no-error', pointer: '', shown: { status: 404, body: {} }, sound: refusal({}) },
  {
    code: 'err-02.absent.request_id',
    pointer: '/error/request_id',
    shown: refusal({}),
    sound: refusal({ request_id: 'r' }),
  },
  {
    code: 'err-04.differs',
    pointer: '/error/status',
    headers: [key],
    credential: 'key std-1',
    shown: refusal({ status: 500 }),
    sound: refusal({ status: 404 }),
  },
];

function clauseOf({ code }: Defect): string {
  return (code.split('.')[0] as string).toUpperCase();
}

function textOf({ body }: Answer): string {
  return body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
}

/** What the report holds of the answer. */
export function responseOf(answer: Answer): NonNullable<ReportedExchange['response']> {
  return { status: answer.status, headers: Object.entries(answer.headers ?? {}), body: textOf(answer) };
}

export function exchangeOf(defect: Defect, index: number, baseUrl: string): ReportedExchange {
  const { method = 'GET', sent = null, headers = [], credential = 'no token', shown } = defect;
  return {
    ...{ id: `ex-${index}`, probe: 'p', credential, sentAt: '2026-01-01T00:00:00Z', durationMs: 1, attempt: 1 },
    request: { method, url: `${baseUrl}/d/${index}?q=%20`, headers: [['User-Agent', 'assay'], ...headers], body: sent },
    response: shown === null ? null : responseOf(shown),
    failure: shown === null ? 'reset: the connection ended' : null,
  };
}

function findingOf(defect: Defect, index: number): Finding {
  const { code, expected = 'x', pointer = null, method = 'GET', finding } = defect;
  return {
    ...{ clause: clauseOf(defect), kind: 'violation', service: 'admin', operation: `${method} /d/${index}`, code },
    ...{ cause: `cause ${code}`, message: `message ${code}`, expected, actual: 'y', pointer },
    ...{
      fingerprint: `f${index}`,
      exchanges: [`ex-${index}`],
      curl: 'curl',
      occurrences: 1,
      looks: 1,
      intermittent: false,
    },
    ...finding,
  };
}

/** A report that has these violations alone. */
export function reportOf(defects: readonly Defect[], baseUrl: string): Report {
  const sample = sampleReport();
  const [row] = sample.operations;
  return {
    ...sample,
    target: { ...sample.target, baseUrl },
    findings: defects.map(findingOf),
    exchanges: defects.map((defect, index) => exchangeOf(defect, index, baseUrl)),
    operations: defects.map(({ declared, method = 'GET' }, index) => {
      const statuses = Object.fromEntries((declared ?? []).map((status) => [status, 1]));
      return { ...row!, service: 'admin', operation: `${method} /d/${index}`, declared: { parameters: {}, statuses } };
    }),
  };
}

/** A server of the defects, shown until `repair` is called. */
export async function serving(defects: readonly Defect[]) {
  let isSound = false;
  const server: Server = createServer((request, response) => {
    const { shown, sound } = defects[Number(/^\/d\/(\d+)/.exec(request.url ?? '')?.[1])]!;
    const answer = isSound ? sound : shown;
    request.resume();
    if (answer === null) response.destroy();
    else response.writeHead(answer.status, answer.headers).end(answer.status === 304 ? undefined : textOf(answer));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    repair: () => {
      isSound = true;
    },
    end: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
