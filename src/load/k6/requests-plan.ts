// The plan that suites/load/requests.ts reads: which requests go out, under which keys, and when. Written by Node into
// a file without secrets. Imports nothing, so that both sides can import it.

/** One request, as it is sent each time. */
export interface ScriptedRequest {
  /** Operation key; stands in the samples. */
  readonly operation: string;
  readonly method: string;
  /** Absolute. A secret stands as `SECRET`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Indexes of the keys that may send it; absent: all. Read where requests arrive by the clock. */
  readonly keys?: readonly number[];
  /** Longest wait for its answer; absent: that of the plan. Seconds. */
  readonly answerLimitSeconds?: number;
}

/** The longest wait for any answer. Seconds. */
export function longestAnswerSeconds({
  requests,
  answerLimitSeconds,
}: Pick<RequestsPlan, 'requests' | 'answerLimitSeconds'>): number {
  return requests.reduce((most, request) => Math.max(most, request.answerLimitSeconds ?? 0), answerLimitSeconds);
}

/** Mark in a scripted request for the secret of the key that sends it. */
export const SECRET = '{{secret}}';

export interface ScriptedKey {
  readonly name: string;
  /** The variable of the environment that holds its secret. */
  readonly variable: string;
}

/** A header that all requests share. Its value reaches k6 by the environment only, and stands as `{{VARIABLE}}` in requests. */
export interface ScriptedHeader {
  /** The variable of the environment that holds its value: `ASSAY_HEADER_0`. */
  readonly variable: string;
  readonly name: string;
  /** As reports call its value; null: it is no secret. */
  readonly secret: string | null;
}

/** Mark in a scripted request for the value of such a header; the first group names the variable. */
export const SHARED_VALUE = /\{\{(ASSAY_HEADER_\d+)\}\}/g;

/** Calls of one request under one key, one after another: `afterMs` from the begin of the step, and then every `everyMs`. */
export interface CallGroup {
  /** Index in `requests`. */
  readonly request: number;
  /** Index in `keys`. */
  readonly key: number;
  readonly afterMs: number;
  /** 0: all at once, as fast as the VUs can. */
  readonly everyMs: number;
  readonly count: number;
}

/** The headers that tell a limit; null: none. */
export interface LimitHeaders {
  readonly limit: string;
  readonly remaining: string;
  readonly reset: string | null;
}

/** The name as k6 has it in an answer: each part with a capital, whatever was sent. */
export function asInAnswer(name: string): string {
  return name.toLowerCase().replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());
}

export interface RequestsPlan {
  readonly step: string;
  /** Each takes every `vus`-th call. All are there from the begin on. */
  readonly vus: number;
  /** In the order in which they are due. */
  readonly calls: readonly CallGroup[];
  readonly requests: readonly ScriptedRequest[];
  readonly keys: readonly ScriptedKey[];
  /** Absent: none. */
  readonly headers?: readonly ScriptedHeader[];
  /** none: requests name no trace. Absent: each names one. */
  readonly trace?: 'none';
  /** The headers that samples keep. */
  readonly limits: LimitHeaders;
  /** The status of a limiter's refusal, and whether a VU sends nothing more once it was answered so. */
  readonly refusedStatus: number;
  readonly endsAtRefusal: boolean;
  /** Number of VUs that keep their first answer of each status whole. */
  readonly bodyVus: number;
  /** Longest wait for one answer, and for the whole step. Seconds. */
  readonly answerLimitSeconds: number;
  readonly timeLimitSeconds: number;
}
