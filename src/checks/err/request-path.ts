// Tells whether a text is the path that a request was sent to, percent-encoding normalised. Source: ERR-07.
import type { Exchange } from '../../exchange/exchange.ts';

const LOSSY_UTF8 = new TextDecoder('utf-8');

/** The text with its percent-escapes decoded as UTF-8; what is no escape stays, bytes that are no UTF-8 become U+FFFD. */
export function percentDecoded(text: string): string {
  return text.replace(/(?:%[0-9a-fA-F]{2})+/g, (escapes) =>
    LOSSY_UTF8.decode(Buffer.from(escapes.replaceAll('%', ''), 'hex')),
  );
}

/** The paths that the request may be said to have had: as planned, and as sent when the base URL has a path of its own. */
export function requestPaths(exchange: Pick<Exchange, 'plan' | 'request'>): readonly string[] {
  const sent = URL.parse(exchange.request.url)?.pathname;
  return [...new Set([exchange.plan.path, exchange.request.path, ...(sent === undefined ? [] : [sent])])];
}

/** Tells whether `instance` is the request's path, with or without a query string where the request had one. */
export function isRequestPath(instance: string, exchange: Exchange): boolean {
  if (instance === exchange.request.path) return true;
  const hasQuery = exchange.plan.query !== '' || exchange.request.query !== '';
  const mark = instance.indexOf('?');
  const stated = [instance, ...(hasQuery && mark !== -1 ? [instance.slice(0, mark)] : [])].map(percentDecoded);
  // A bare "?" says that the query is empty, which is so.
  if (!hasQuery && instance.endsWith('?')) stated.push(percentDecoded(instance.slice(0, -1)));
  return requestPaths(exchange).some((path) => stated.includes(percentDecoded(path)));
}
