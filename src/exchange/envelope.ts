// The error envelope as a probe's judge needs it: the `error` object, whatever else may be wrong with the answer.
import { jsonBody } from './body.ts';
import type { Exchange } from './exchange.ts';

export interface EnvelopeView {
  readonly code: string | null;
  readonly type: string | null;
  readonly param: string | null;
  /** `errors[].field` values that are strings, in order. */
  readonly fields: readonly string[];
  readonly codes: readonly string[];
}

/** The answer's `error` object; null where there is none. Members of the wrong type read as absent (ERR-02 judges them). */
export function envelopeOf(exchange: Exchange): EnvelopeView | null {
  const body = jsonBody(exchange);
  if (!body.ok || !isRecord(body.value)) return null;
  const error = body.value.error;
  if (!isRecord(error)) return null;
  const entries = Array.isArray(error.errors) ? error.errors.filter(isRecord) : [];
  return {
    code: text(error.code),
    type: text(error.type),
    param: text(error.param),
    fields: entries.map((entry) => text(entry.field)).filter((field) => field !== null),
    codes: entries.map((entry) => text(entry.code) ?? ''),
  };
}

/** The first segment of a field path written `a.b`, `a[0]`, `/a/b` or plainly `a`. */
export function topField(path: string): string {
  const [first = ''] = path.replace(/^\//, '').split(/[.[/]/);
  return first;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
