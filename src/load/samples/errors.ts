// What went wrong with a request, in a few words: its status, or why it had no answer, by the error_code that k6 gives
// (https://grafana.com/docs/k6/latest/javascript-api/error-codes/).

const KINDS: Readonly<Record<number, string>> = {
  1050: 'timed out',
  1101: 'host not found',
  1201: 'connection broken',
  1211: 'connecting timed out',
  1212: 'connection refused',
  1220: 'connection reset',
};
/** For the other codes of a hundred. */
const FAMILIES: Readonly<Record<number, string>> = {
  11: 'host not found',
  12: 'connection failed',
  13: 'TLS failed',
  16: 'HTTP/2 failed',
};

/** The kind of error that an answer is, or its absence; null for a success and for 429, which is a class of its own. */
export function errorKind(status: number, errorCode = 0): string | null {
  if (status === 0) return KINDS[errorCode] ?? FAMILIES[Math.floor(errorCode / 100)] ?? 'no answer';
  return status < 400 || status === 429 ? null : `HTTP ${status}`;
}
