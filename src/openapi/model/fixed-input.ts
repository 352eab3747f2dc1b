// Tells whether the configuration decides what a request of an operation holds: such a place is never varied in valid input.
import type { Operation } from './operation.ts';

/** Tells whether the configuration decides this member of the operation's bodies. */
export function fixesMember({ fixed }: Operation, name: string): boolean {
  return fixed !== undefined && Object.hasOwn(fixed.body, name);
}

/** Tells whether the configuration decides the operation's parameters of this name. */
export function fixesParameter({ fixed }: Operation, name: string): boolean {
  return fixed !== undefined && Object.hasOwn(fixed.parameters, name);
}
