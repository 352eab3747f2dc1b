// Receiving for `assay webhooks`: the receiver listens, the configured program makes the platform deliver, and the run waits
// until redeliveries have come.

import type { Clock } from '../../clock/clock.ts';
import type { Config, RunOptions, WebhookConfig } from '../../config/config.ts';
import { plural } from '../../contract/numbers.ts';
import type { Delivery } from '../../exchange/delivery.ts';
import type { Redactor } from '../../exchange/secrets/known-secrets.ts';
import type { Absence } from '../../grading/rows.ts';
import { MAX_BODY_BYTES, type Receiver, startReceiver } from '../../receiver/receiver.ts';
import { AnswerScript } from '../../receiver/script.ts';
import { runTrigger, type Triggered } from '../../receiver/trigger.ts';
import { RunEnded } from '../perform/interruption.ts';
import { StopSwitch } from '../perform/opening.ts';

/** The part of a run that receiving needs. */
export interface Receiving {
  readonly config: Config;
  readonly options: RunOptions;
  readonly clock: Clock;
  readonly stop: AbortSignal;
  /** Told what happens, a sentence each. */
  say(sentence: string): void;
}

/** How the receiver waits. ms, but for `seconds`. */
export interface Waiting {
  /** How long deliveries are waited for. */
  readonly seconds: number;
  /** All is judged, and nothing has come for so long: the run ends. */
  readonly quietMs: number;
  /** How long a slow answer takes, and how long a delivery is left without one. */
  readonly slowMs: number;
  readonly hangMs: number;
}

export interface ListeningSource {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly waiting: Waiting;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Told once, when the receiver listens. */
  onListening(url: string): void;
}

/** The received deliveries, and how receiving ended. */
export interface Received {
  readonly deliveries: readonly Delivery[];
  /** Where it was received; null for a recording. */
  readonly url: string | null;
  /** How long redeliveries were waited for; null for a recording. */
  readonly waitedSeconds: number | null;
  /** Set where the run ended before its time. */
  readonly ended: Absence | null;
  /** Further sentences on how it went. */
  readonly notes: readonly string[];
}

const QUIET_SHARE = 0.1;
const QUIET_MS = { least: 2000, most: 10_000 };

/** The usual waiting for a run of so many seconds: the longer, the more patient with what comes late. */
export function usualWaiting(seconds: number): Waiting {
  const quietMs = Math.min(Math.max(seconds * 1000 * QUIET_SHARE, QUIET_MS.least), QUIET_MS.most);
  return { seconds, quietMs, slowMs: 2000, hangMs: 10_000 };
}

/** Receives until the time is up, or until all is judged. Rejects when the port cannot be opened. */
export async function receive(
  { config, options, clock, stop: outer, say }: Receiving,
  source: ListeningSource,
  redactor: Redactor,
): Promise<Received> {
  const { waiting } = source;
  const startedAtMs = clock.now();
  const stop = new StopSwitch(outer, options.timeLimitSeconds, clock);
  const changes = { lastAtMs: startedAtMs };
  const script = new AnswerScript(answersOf(config.webhooks, options));
  const receiver = await startReceiver({
    ...{ host: source.host, port: source.port, script, clock, slowMs: waiting.slowMs, hangMs: waiting.hangMs },
    secret: config.webhooks?.secret ?? null,
    onChange: () => {
      changes.lastAtMs = clock.now();
    },
  });
  try {
    source.onListening(receiver.url);
    const trigger = new Trigger(config.webhooks, receiver.url, { env: source.env, clock });
    const notes: string[] = [];
    await untilDone({ receiver, script, trigger, changes, waiting, clock, startedAtMs, stop: stop.signal });
    const { failure, output } = await trigger.end();
    if (failure !== null) {
      notes.push(`the trigger failed: ${redactor.conceal(failure)}`);
      say(`${notes[0]}${output.trim() === '' ? '' : `\n${redactor.conceal(output.trimEnd())}`}`);
    }
    notes.push(...besidesDeliveries(receiver.handshakes(), receiver.counts().others), ...boundsIn(receiver));
    const waitedSeconds = (clock.now() - startedAtMs) / 1000;
    const ended = stop.signal.aborted ? stop.explain(new RunEnded('interrupted', 'the run was stopped')) : null;
    await receiver.close();
    return { deliveries: receiver.deliveries(), url: receiver.url, waitedSeconds, ended, notes };
  } finally {
    stop.dispose();
    await receiver.close();
  }
}

/** The configured answers; where HOOK-02 takes no part nothing need be refused. */
function answersOf(webhooks: WebhookConfig | null, { clauses }: RunOptions): WebhookConfig['answers'] {
  if (clauses.length > 0 && !clauses.includes('HOOK-02')) return [];
  return webhooks?.answers ?? null;
}

/** The configured program, run once; without one there is nothing to wait for. */
class Trigger {
  outcome: Triggered | null = null;
  readonly #stop = new AbortController();
  readonly #running: Promise<Triggered> | null;

  constructor(
    webhooks: WebhookConfig | null,
    url: string,
    { env, clock }: { readonly env: ListeningSource['env']; readonly clock: Clock },
  ) {
    const command = webhooks?.trigger ?? null;
    if (command === null) {
      this.#running = null;
      return;
    }
    this.#running = runTrigger({ command, url, env, clock, stop: this.#stop.signal });
    void this.#running.then((outcome) => {
      this.outcome = outcome;
    });
  }

  get hasEnded(): boolean {
    return this.#running === null || this.outcome !== null;
  }

  /** Ends the program where it still runs. */
  async end(): Promise<Triggered> {
    this.#stop.abort();
    return (await this.#running) ?? { failure: null, output: '' };
  }
}

interface Watched {
  readonly receiver: Receiver;
  readonly script: AnswerScript;
  readonly trigger: Trigger;
  readonly changes: { lastAtMs: number };
  readonly waiting: Waiting;
  readonly clock: Clock;
  readonly startedAtMs: number;
  readonly stop: AbortSignal;
}

/** How often the receiver is looked at. ms. */
const LOOK_MS = 100;

/** Resolves when the time is up, when all is judged, or when nothing more can come of waiting. */
async function untilDone(watched: Watched): Promise<void> {
  const { receiver, waiting, clock, startedAtMs, stop } = watched;
  const endsAtMs = startedAtMs + waiting.seconds * 1000;
  while (!stop.aborted && !receiver.isFull() && !isDone(watched)) {
    const leftMs = endsAtMs - clock.now();
    if (leftMs <= 0) return;
    await clock.sleep(Math.min(LOOK_MS, leftMs), stop);
  }
}

function isDone({ receiver, script, trigger, changes, waiting, clock, startedAtMs }: Watched): boolean {
  const isQuiet = clock.now() - Math.max(changes.lastAtMs, startedAtMs) >= waiting.quietMs;
  if (!isQuiet || !trigger.hasEnded || receiver.isAnswering()) return false;
  if (!receiver.hasReceived()) return trigger.outcome !== null && trigger.outcome.failure !== null;
  return !script.refuses || script.isAnswered;
}

/** The requests that were no deliveries, in words; they are not judged. `others`: how many asked nothing that is known. */
export function besidesDeliveries(handshakes: readonly string[], others: number): readonly string[] {
  const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;
  const names = [...new Set(handshakes)].join(', ');
  return [
    ...(handshakes.length === 0 ? [] : [`${count(handshakes.length, 'handshake')} not judged: ${names}`]),
    ...(others === 0 ? [] : [`${count(others, 'request')} not judged, by methods that deliver nothing`]),
  ];
}

/** The requests that the receiver refused to keep, in words. */
function boundsIn(receiver: Receiver): readonly string[] {
  const { tooLarge } = receiver.counts();
  return [
    ...(tooLarge === 0
      ? []
      : [`${plural(tooLarge, 'request')} with bodies above ${MAX_BODY_BYTES / 1024} KiB were refused and not judged`]),
    ...(receiver.isFull() ? ['no more deliveries were kept: the receiver was full'] : []),
  ];
}
