// Where `doc_url` must point: {docs_url}/errors/{code}, or the same on a base that the platform chooses.

/** The only doc_url that a configured {docs_url} allows for this code. Source: ERR-05. */
export function docUrlFor(docsUrl: string, code: string): string {
  return `${withoutLastSlashes(docsUrl)}/errors/${code}`;
}

/** The base of an absolute http(s) URL that ends `/errors/{code}`; null for any other text. */
export function docUrlBase(docUrl: string, code: string): string | null {
  const ending = `/errors/${code}`;
  if (!/^https?:\/\//i.test(docUrl) || !docUrl.endsWith(ending)) return null;
  const base = docUrl.slice(0, -ending.length);
  const url = URL.parse(base);
  return url === null || url.search !== '' || url.hash !== '' ? null : withoutLastSlashes(url.href);
}

/** A pattern would take time with the square of the slashes. */
function withoutLastSlashes(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end -= 1;
  return url.slice(0, end);
}
