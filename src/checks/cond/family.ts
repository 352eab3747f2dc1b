// The laws of COND, in the order in which they speak of a fact.
import type { ItemLaw } from '../life/law.ts';
import { acceptedNamesPresent, refusedChangesNothing, refusedNamesOther } from './cond-01-if-match.ts';
import { askedAnew } from './cond-02-if-none-match.ts';
import { tagsTellStates } from './cond-03-tags.ts';

export const COND_LAWS: readonly ItemLaw[] = [
  acceptedNamesPresent,
  refusedNamesOther,
  refusedChangesNothing,
  askedAnew,
  tagsTellStates,
];
