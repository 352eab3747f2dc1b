// A finding's fingerprint: the same breach in the next run has the same one.
import { createHash } from 'node:crypto';

const LENGTH = 16;

/** Digest of what a finding is about. `place` is a JSON pointer; into an answer, without array indexes (`normalPointer`). */
export function fingerprint(
  clause: string,
  service: string | null,
  operation: string | null,
  cause: string,
  place: string | null,
): string {
  const about = [clause, service ?? '', operation ?? '', cause, place ?? ''];
  return createHash('sha256').update(about.join('\n')).digest('hex').slice(0, LENGTH);
}

/** The pointer with array indexes replaced by `*`: which item of a list it was does not tell two findings apart. */
export function normalPointer(pointer: string): string {
  return pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*');
}
