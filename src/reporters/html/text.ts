// Small texts of the page: ids of its deep links, and the contract's sentences with their code marked.

/** Id of a deep link, the same in every run, harmless whatever the target sent: `anchor('op', 'admin', 'GET /api/v1/stores/{storeId}')` is "op-admin-GET-/api/v1/stores/{storeId}". */
export function anchor(...parts: readonly string[]): string {
  return parts
    .join('-')
    .slice(0, 200)
    .replace(/[^A-Za-z0-9/{}._-]+/g, '-');
}

/** Text in which `backticks` mark code, in pieces. *Emphasis* is shown as plain text. */
export function codeParts(text: string): readonly { readonly code: boolean; readonly text: string }[] {
  return text
    .split('`')
    .map((part, index) =>
      index % 2 === 1 ? { code: true, text: part } : { code: false, text: part.replace(/\*(\w+)\*/g, '$1') },
    )
    .filter((part) => part.text !== '');
}
