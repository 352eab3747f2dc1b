// What every script does with a request and its answer: the key's secret put in its place, an answer kept whole.
import type { RefinedResponse, ResponseType } from 'k6/http';
import { type ScriptedRequest, SECRET } from '../../src/load/k6/requests-plan.ts';
import { lineOf } from '../../src/load/samples/line.ts';

/** The headers with the secret of the key that sends them. */
export function withSecret(headers: Readonly<Record<string, string>>, secret: string): Record<string, string> {
  const filled: Record<string, string> = {};
  for (const name of Object.keys(headers)) filled[name] = (headers[name] ?? '').replace(SECRET, secret);
  return filled;
}

/** Writes the answer, whole, for the checks that Node has. `startMs` is epoch ms. */
export function keep(
  { method, url, operation }: ScriptedRequest,
  { headers, body, timings, status }: RefinedResponse<ResponseType>,
  { step, key, startMs }: { readonly step: string; readonly key: string; readonly startMs: number },
): void {
  const answer = { method, path: url, startMs, durationMs: timings.duration, headers, body: String(body ?? '') };
  console.log(lineOf({ kind: 'body', step, key, operation, status, answer }));
}
