// A finding's fingerprint: the same breach in the next run has the same one. It is made of codes and places, never of a sentence.

import { hash } from 'node:crypto';
import type { Breach } from '../contract/judgement.ts';
import { oncePerValue } from '../exchange/once-per.ts';

const FINGERPRINT_DIGITS = 16;
/** The same breach is found again and again: so many digests are remembered. */
const MAX_REMEMBERED = 4096;
const digestOf = oncePerValue((about: string) => hash('sha256', about).slice(0, FINGERPRINT_DIGITS), MAX_REMEMBERED);

/** Digest of what a finding is about. `place` is a JSON pointer; into an answer, without array indexes (`normalPointer`). */
export function fingerprint(
  clause: string,
  service: string | null,
  operation: string | null,
  code: string,
  place: string | null,
): string {
  return digestOf([clause, service ?? '', operation ?? '', code, place ?? ''].join('\n'));
}

/** The pointer with array indexes replaced by `*`: which item of a list it was does not tell two findings apart. */
export function normalPointer(pointer: string): string {
  return pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*');
}

/** The fingerprint of a breach. `inAnswer`: its pointer, if any, leads into an answer; else into a description. */
export function printOf(
  clause: string,
  { service, operation }: { readonly service: string | null; readonly operation: string | null },
  { code, pointer }: Pick<Breach, 'code' | 'pointer'>,
  { inAnswer }: { readonly inAnswer: boolean },
): string {
  const place = pointer !== undefined && inAnswer ? normalPointer(pointer) : (pointer ?? null);
  return fingerprint(clause, service, operation, code, place);
}
