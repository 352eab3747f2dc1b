// JSON pointers as people write keys: /keys/0/token is keys[0].token.

/** `keys[0].token` for `/keys/0/token`; empty for the whole document. */
export function keyOf(pointer: string): string {
  return segmentsOf(pointer)
    .map((segment, index) => (/^\d+$/.test(segment) ? `[${segment}]` : index === 0 ? segment : `.${segment}`))
    .join('');
}

/** The keys that a JSON pointer leads by. */
export function segmentsOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** A key as a segment of a JSON pointer. */
export function segmentOf(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
