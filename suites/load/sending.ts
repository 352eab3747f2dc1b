// What every script does with a request and its answer: the key's secret put in its place, an answer kept whole.
import { SharedArray } from 'k6/data';
import type { RefinedResponse, ResponseType } from 'k6/http';
import {
  type ScriptedHeader,
  type ScriptedKey,
  type ScriptedRequest,
  SECRET,
  SHARED_VALUE,
} from '../../src/load/k6/requests-plan.ts';
import {
  Concealer,
  type PreparedSecret,
  type PreparedSecrets,
  prepared,
  preparedAll,
} from '../../src/load/samples/concealed.ts';
import { lineOf } from '../../src/load/samples/line.ts';

/** How far this machine's wall clock is ahead of the clock of the run that started k6, ms; 0 where none did. */
export const wallAheadMs = Number(__ENV.ASSAY_WALL_AHEAD_MS ?? 0);

/** The certificate that the client shows to servers that ask for one. */
export const tlsAuth = __ENV.ASSAY_TLS_KEY ? [{ cert: __ENV.ASSAY_TLS_CERT ?? '', key: __ENV.ASSAY_TLS_KEY }] : [];

/** Where an answer was kept, and what makes it fit to be. */
interface Kept {
  readonly step: string;
  readonly key: string;
  readonly startMs: number;
  readonly concealer: Concealer;
  /** The header that was sent; undefined: none of ours. */
  readonly traceparent: string | undefined;
}

/** The headers with the secret of the key that sends them, and with the values that all requests share. */
export function withValues(headers: Readonly<Record<string, string>>, secret: string): Record<string, string> {
  const filled: Record<string, string> = {};
  for (const name of Object.keys(headers))
    filled[name] = (headers[name] ?? '').replace(SHARED_VALUE, sharedValue).replace(SECRET, () => secret);
  return filled;
}

function sharedValue(_: string, variable: string): string {
  return __ENV[variable] ?? '';
}

/** What takes the secrets of these keys and headers out of answers. For the init context: the VUs share what it takes to make it. */
export function concealerFor(keys: readonly ScriptedKey[], headers: readonly ScriptedHeader[] = []): Concealer {
  const secrets = (): PreparedSecret[] => [
    ...keys.map(({ name, variable }) => prepared(`key ${name}`, __ENV[variable] ?? '')),
    ...headers.flatMap(({ secret, variable }) =>
      secret === null ? [] : [{ ...prepared(secret, __ENV[variable] ?? ''), mayBeQuoted: true as const }],
    ),
  ];
  const each = new SharedArray<PreparedSecret>('secrets', secrets);
  const all = new SharedArray<PreparedSecrets>('all secrets', () => [preparedAll(secrets())]);
  return new Concealer(
    () => each,
    () => all[0] as PreparedSecrets,
  );
}

/** Writes the answer, whole but for the keys' secrets, for the checks that Node has. `startMs` is epoch ms. */
export function keep(
  { method, url, operation }: ScriptedRequest,
  { headers, body, timings, status }: RefinedResponse<ResponseType>,
  { step, key, startMs, concealer, traceparent }: Kept,
): void {
  const answer = { method, path: url, startMs, durationMs: timings.duration, headers, body: String(body ?? '') };
  const traced = traceparent === undefined ? {} : { traceparent };
  console.log(
    lineOf({ kind: 'body', step, key, operation, status, answer: { ...concealer.answer(answer), ...traced } }),
  );
}
