// Why a request got no answer, from what undici and the operating system call it.
import type { Failure } from '../exchange/exchange.ts';

const KINDS: Readonly<Record<string, Failure['kind']>> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_INFO: 'reset',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'unreachable',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'protocol',
  UND_ERR_HEADERS_OVERFLOW: 'protocol',
  UND_ERR_ABORTED: 'aborted',
  UND_ERR_DESTROYED: 'aborted',
  UND_ERR_CLOSED: 'aborted',
  // Refused by undici before a byte was sent: says nothing of the target.
  UND_ERR_INVALID_ARG: 'aborted',
  UND_ERR_NOT_SUPPORTED: 'aborted',
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: 'aborted',
};

/** The failure that the error stands for. `reusedSocket`: whether its socket had served a request before. */
export function failureOf(error: Error, reusedSocket: boolean): Failure {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const kind = kindOf(code, error);
  const message = kind === 'aborted' ? `not sent or not awaited: ${error.message}` : error.message || code;
  return { kind, message: code === '' || message.includes(code) ? message : `${message} (${code})`, reusedSocket };
}

function kindOf(code: string, { name, message }: Error): Failure['kind'] {
  if (name === 'HTTPParserError' || message.startsWith('bad ')) return 'protocol';
  return KINDS[code] ?? 'unreachable';
}
