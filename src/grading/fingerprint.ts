// A finding's fingerprint: the same breach in the next run has the same one.
import { createHash } from 'node:crypto';

const LENGTH = 16;

/** Digest of what a finding is about; array indexes in the pointer do not tell two findings apart. */
export function fingerprint(
  clause: string,
  service: string | null,
  operation: string | null,
  cause: string,
  pointer: string | null,
): string {
  const place = [clause, service ?? '', operation ?? '', cause, normalPointer(pointer ?? '')];
  return createHash('sha256').update(place.join('\n')).digest('hex').slice(0, LENGTH);
}

/** The pointer with array indexes replaced by `*`. */
export function normalPointer(pointer: string): string {
  return pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*');
}
