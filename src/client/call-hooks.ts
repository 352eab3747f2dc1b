// Lets code of the user act around each request: add headers to it, and look at its answer. It never sees a token.
import type { Clock } from '../clock/clock.ts';
import { type ConstantHeader, isConstantHeader } from '../config/constant-header.ts';
import type { Intent, RecordedRequest, RecordedResponse } from '../exchange/exchange.ts';
import { createRedactor } from '../exchange/redaction.ts';
import type { Redactor } from '../exchange/secrets/known-secrets.ts';

/** A request that is about to be sent. */
export interface Call {
  readonly service: string | null;
  /** Operation key, "POST /v1/stores"; null for a path that no description has. */
  readonly operation: string | null;
  /** Its flaw on purpose; sound: none. */
  readonly intent: Intent;
  /** As it is sent, secrets aside. */
  readonly request: RecordedRequest;
}

/** A request that was sent. */
export interface AnsweredCall extends Call {
  /** As it came, secrets aside; null where no answer came. */
  readonly response: RecordedResponse | null;
}

/** Calls the user's code around each request; how long it may take is a limit on the run's clock. */
export interface CallHooks {
  /** The headers that the request gets beside its own, with the secrets that they are. Throws HookFailed. */
  before(call: Call, clock: Clock): Promise<readonly ConstantHeader[]>;
  /** Throws HookFailed. */
  after(call: AnsweredCall, clock: Clock): Promise<void>;
}

/**
 * Thrown by `send` where code of the user around a request failed: nothing more can be sent as the user wants it. Caught by the
 * run, which ends with that reason.
 */
export class HookFailed extends Error {}

/**
 * The headers that a hook's answer asks for. Nothing is known of their values, so each is a secret. Throws HookFailed for an
 * answer that is none, and for a header that is Assay's own subject or the connection's.
 */
export function headersOf(answer: unknown): readonly ConstantHeader[] {
  if (answer === undefined || answer === null) return [];
  const headers = typeof answer === 'object' ? (answer as { headers?: unknown }).headers : undefined;
  if (typeof headers !== 'object' || headers === null)
    throw new HookFailed('it answers neither nothing nor { headers: { NAME: value } }');
  return Object.entries(headers).map(([name, value]) => {
    if (!isConstantHeader(name)) throw new HookFailed(`"${name}" is no header that a hook may set`);
    if (typeof value !== 'string' || !/^[\t\x20-\x7e]*$/.test(value))
      throw new HookFailed(`the value of ${name} is no line of ASCII characters`);
    return { name, value, secret: `header ${name}` };
  });
}

/**
 * Keeps the values of hooks out of what is recorded. One that is sent twice is looked for everywhere from then on. Others, such
 * as signatures, are too many for that, and are looked for in the answer to their own request.
 */
export class HookValues {
  readonly #redactor: Redactor;
  readonly #sent = new Set<string>();

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  /** Redactor that finds the values in the answer to the request that carries them; null where the run's own does. */
  note(headers: readonly ConstantHeader[]): Redactor | null {
    const isNew = headers.map(({ secret, value }) => {
      if (!this.#sent.has(value)) return true;
      this.#redactor.add({ name: secret ?? '', value });
      return false;
    });
    const fresh = headers.filter((_, at) => isNew[at]).map(({ secret, value }) => ({ name: secret ?? '', value }));
    for (const { value } of fresh) this.#sent.add(value);
    return fresh.length === 0 ? null : createRedactor(fresh);
  }
}
