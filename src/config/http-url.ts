// What counts as the address of a target.

/** Whether the text is an absolute http(s) URL that paths can be appended to: no user name, query or fragment. */
export function isHttpUrl(text: string): boolean {
  if (!/^https?:\/\/[^/]/i.test(text) || !URL.canParse(text)) return false;
  const { username, password, search, hash } = new URL(text);
  return username === '' && password === '' && search === '' && hash === '';
}

export function withoutTrailingSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
