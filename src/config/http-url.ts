// Tells which texts are addresses of a target, of a trace or of a login.

/** Tells whether the text is an absolute http(s) URL that paths can be appended to: no user name, query or fragment. */
export function isHttpUrl(text: string): boolean {
  if (!/^https?:\/\/[^/]/i.test(text) || !URL.canParse(text)) return false;
  const { username, password, search, hash } = new URL(text);
  return username === '' && password === '' && search === '' && hash === '';
}

/** The placeholder of a trace's id in a link to it. */
const TRACE_ID = '{traceId}';

/** Tells whether the text is an http(s) URL without user name and password that names a trace somewhere after its host. */
export function isTraceUrl(text: string): boolean {
  const url = URL.parse(text.replaceAll(TRACE_ID, 'id'));
  if (url === null || !/^https?:\/\/[^/{}]+\/.*\{traceId\}/i.test(text)) return false;
  return url.username === '' && url.password === '' && !/\s/.test(text);
}

export function withoutTrailingSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

/** Tells whether secrets may be sent there: by https, or to this machine. */
export function isLoginUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '' || url.hash !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
}

/** Tells whether the host of a URL, in brackets or without, is this machine itself. Source: RFC 6890. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(hostname);
}
