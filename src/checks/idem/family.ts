// The laws of IDEM over the history of a key, in the order in which they speak of a fact.
import { replayIsOriginal } from './idem-01-replay.ts';
import { effectIsKept, oneEffect } from './idem-02-one-effect.ts';
import { togetherIsOne, togetherIsShownOnce } from './idem-03-together.ts';
import { separateChange, separateEffects } from './idem-04-separate.ts';
import { paidOnce } from './idem-05-paid-once.ts';
import { otherBodyIsRefused } from './idem-08-other-body.ts';
import type { KeyLaw } from './law.ts';

export const IDEM_LAWS: readonly KeyLaw[] = [
  replayIsOriginal,
  oneEffect,
  effectIsKept,
  togetherIsOne,
  togetherIsShownOnce,
  separateEffects,
  separateChange,
  paidOnce,
  otherBodyIsRefused,
];
