// Small texts of the page: ids of its deep links, and the contract's sentences with their code marked.

/** Id of a deep link, the same in every run, harmless whatever the target sent: `anchor('op', 'admin', 'GET /api/v1/stores/{storeId}')` is "op-admin-GET-/api/v1/stores/{storeId}". */
export function anchor(...parts: readonly string[]): string {
  return parts
    .join('-')
    .slice(0, 200)
    .replace(/[^A-Za-z0-9/{}._-]+/g, '-');
}

/** Text in which `backticks` mark code, in pieces. */
export function codeParts(text: string): readonly { readonly code: boolean; readonly text: string }[] {
  return text
    .split('`')
    .map((part, index) => ({ code: index % 2 === 1, text: part }))
    .filter((part) => part.text !== '');
}
