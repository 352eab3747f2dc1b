// Every string of a JSON value with its pointer. Walks without recursion: answers may be nested without end.
import { appended } from '../../openapi/json.ts';

export interface PlacedText {
  readonly pointer: string;
  readonly text: string;
}

/** Strings in document order within one container; containers in the order found. */
export function* stringsIn(root: unknown): Generator<PlacedText> {
  if (typeof root === 'string') yield { pointer: '', text: root };
  const open: { readonly value: unknown; readonly pointer: string }[] =
    typeof root === 'string' ? [] : [{ value: root, pointer: '' }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, pointer } = next;
    for (const [key, member] of Object.entries(value ?? {})) {
      if (typeof member === 'string') yield { pointer: appended(pointer, key), text: member };
      // The pointer of what lies very deep is cut: it grows with the square of the depth.
      else open.push({ value: member, pointer: pointer.length > 400 ? pointer : appended(pointer, key) });
    }
  }
}
