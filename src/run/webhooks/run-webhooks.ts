// One run of `assay webhooks`: deliveries are received, or read from a recording, judged, and reported like any other run.
import { HOOK_CLAUSES, type HookJudgement, judgeDeliveries } from '../../checks/hook/deliveries.ts';
import { carriesSignature } from '../../checks/hook/explanation.ts';
import type { BroughtCheck } from '../../checks/own-check.ts';
import type { Config } from '../../config/config.ts';
import type { Clause } from '../../contract/clause.ts';
import { cannotTell, type Judgement, resting } from '../../contract/judgement.ts';
import type { Report } from '../../contract/report.ts';
import type { Delivery } from '../../exchange/delivery.ts';
import { DELIVERING_METHODS, handshakeOf } from '../../exchange/handshake.ts';
import { deliveredExchange } from '../../exchange/received-exchange.ts';
import { createRedactor } from '../../exchange/redaction.ts';
import type { Redactor } from '../../exchange/secrets/known-secrets.ts';
import { type Absence, clauseRow } from '../../grading/rows.ts';
import { Ledger } from '../books/ledger.ts';
import { notJudged, type ReceivingFacts, receivingReport, redactedJudgement } from '../books/receiving-report.ts';
import { targetOf } from '../books/report.ts';
import { type StrayErrors, soundly } from '../perform/stray-errors.ts';
import { NOWHERE } from '../plan/shard.ts';
import { besidesDeliveries, type ListeningSource, type Received, type Receiving, receive } from './receiving.ts';

export interface WebhooksInput extends Receiving {
  /** Tells what is thrown where nothing waits for it; absent: it ends the process. */
  readonly strays?: StrayErrors;
  /** The user's own checks: they are left to other commands, and have a row. */
  readonly checks: readonly BroughtCheck[];
  readonly source: ListeningSource | { readonly recorded: readonly Delivery[] };
}

/** Judges and reports. Rejects only when the port cannot be opened, or for defects of the harness. */
export async function runWebhooks(input: WebhooksInput): Promise<Report> {
  const { config, options, source, clock } = input;
  const startedAtMs = clock.now();
  const redactor = redactorOf(config);
  const received: Received =
    'recorded' in source ? ofRecording(source.recorded, config) : await receivedSoundly(input, source, redactor);
  const { secret = null, header = null, form = null } = config.webhooks ?? {};
  const judgements = judgeDeliveries(received.deliveries, { secret, header, form }, received.waitedSeconds);
  return webhookReport({
    ...{ config, options, checks: input.checks, redactor, received, judgements, startedAtMs },
    endedAtMs: clock.now(),
  });
}

/** The deliveries of a recording, which may hold handshakes and other requests beside them. */
function ofRecording(recorded: readonly Delivery[], { webhooks }: Config): Received {
  const handshakes = recorded.flatMap((one) => {
    const handshake = handshakeOf(one, webhooks?.secret ?? null);
    return handshake === null ? [] : [{ one, name: handshake.name }];
  });
  const asking = new Set(handshakes.map(({ one }) => one));
  const sent = recorded.filter((one) => !asking.has(one));
  const deliveries = sent.filter(
    (one) => DELIVERING_METHODS.has(one.method) || one.body.length > 0 || carriesSignature(one),
  );
  const names = handshakes.map(({ name }) => name);
  const notes = besidesDeliveries(names, sent.length - deliveries.length);
  return { deliveries, url: null, waitedSeconds: null, ended: null, notes };
}

/** The received deliveries; where something of Assay itself failed meanwhile, it has ended without a verdict. */
async function receivedSoundly(input: WebhooksInput, source: ListeningSource, redactor: Redactor): Promise<Received> {
  const { result, failed } = await soundly(input.strays, () => receive(input, source, redactor));
  return failed === null ? result : { ...result, ended: failed };
}

/** Knows every secret of the configuration. */
function redactorOf({ webhooks, keys, credentials, secrets: known }: Config): Redactor {
  const secrets = [
    { name: 'webhook secret', value: webhooks?.secret ?? null },
    { name: 'webhook secret', value: /^(?:v1,)?whsec_(.+)/.exec(webhooks?.secret ?? '')?.[1] ?? null },
    ...keys.map(({ name, token }) => ({ name: `key ${name}`, value: token })),
    ...(['locked', 'expired'] as const).map((kind) => ({ name: `${kind} token`, value: credentials[kind] })),
  ];
  return createRedactor([...secrets.flatMap(({ name, value }) => (value === null ? [] : [{ name, value }])), ...known]);
}

// From judged deliveries to the report: of all clauses only those of HOOK are judged here.

interface WebhookFacts extends ReceivingFacts {
  readonly received: Received;
  readonly judgements: readonly HookJudgement[];
}

const RECORDING = 'http://recorded.invalid';

/** The report of a run on webhooks. */
function webhookReport(facts: WebhookFacts): Report {
  const { config, received } = facts;
  const ledger = booked(facts);
  return receivingReport(facts, {
    command: 'webhooks',
    ledger,
    target: targetOf(config.target),
    requests: received.deliveries.length,
    ended: received.ended,
    notes: notesOf(facts),
    rowOf: (clause) => clauseRow(clause, ledger.tallies(clause.id), absenceOf(clause, facts), { judgedAsMust: false }),
  });
}

/** The judgements that take part, in the books. */
function booked({ config, options, redactor, received, judgements }: WebhookFacts): Ledger {
  const ledger = new Ledger({ promote: config.promote, expected: [] });
  const base = received.url === null ? RECORDING : received.url.replace(/\/$/, '');
  for (const { clause, judgement, evidence } of judgements) {
    if (options.clauses.length > 0 && !options.clauses.includes(clause)) continue;
    const shown = judgement.kind === 'breached' ? evidence : [];
    const exchanges = shown.map((delivery) => deliveredExchange(delivery, base, redactor));
    const told = redactedJudgement(cutShort(judgement, evidence, received), redactor);
    ledger.book(clause, NOWHERE, resting(told, { deliveries: evidence.length }), exchanges);
  }
  return ledger;
}

/** The judgement; that nothing came again says why the run ended, where it ended before its time. */
function cutShort(judgement: Judgement, evidence: readonly Delivery[], { ended }: Received): Judgement {
  const isAbsent = judgement.kind === 'cannot-tell' && judgement.reasonCode === 'precondition' && evidence.length === 0;
  return isAbsent && ended !== null ? cannotTell(ended.reasonCode, ended.reason) : judgement;
}

/** Why a clause has no tally. */
function absenceOf(clause: Clause, { options, received }: WebhookFacts): Absence {
  const nothing: Absence = { reasonCode: 'precondition', reason: nothingDelivered(received) };
  return notJudged(clause, HOOK_CLAUSES, options) ?? received.ended ?? nothing;
}

function nothingDelivered({ waitedSeconds }: Received): string {
  return `nothing was delivered ${waitedSeconds === null ? 'in the recording' : `within ${Math.round(waitedSeconds)} s`}`;
}

/** The sentences on how the run went. */
function notesOf({ config, received }: WebhookFacts): readonly string[] {
  return [
    ...(received.ended === null ? [] : [received.ended.reason]),
    ...(received.deliveries.length === 0 ? [nothingDelivered(received)] : []),
    ...(config.webhooks === null ? ['no secret is configured (webhooks.secret), so no signature was judged'] : []),
    ...received.notes,
  ];
}
