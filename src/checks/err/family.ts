// The ERR checks. Laws over a run (ERR-06, the one base of ERR-05) are reducers: run-laws.ts.
import type { ExchangeCheck } from '../check.ts';
import { err01 } from './err-01.ts';
import { err02 } from './err-02.ts';
import { err03 } from './err-03.ts';
import { err04 } from './err-04.ts';
import { err05 } from './err-05.ts';
import { err07 } from './err-07.ts';
import { err08 } from './err-08.ts';
import { err09 } from './err-09.ts';
import { err10 } from './err-10.ts';
import { err11 } from './err-11.ts';
import { err12 } from './err-12.ts';
import { err13 } from './err-13.ts';
import { err14 } from './err-14.ts';

/** Those on the envelope of an error: what they report of a body, SCH-01 does not report again. */
export const envelopeChecks: readonly ExchangeCheck[] = [
  err01,
  err02,
  err03,
  err04,
  err05,
  err07,
  err08,
  err09,
  err10,
  err11,
];

export const errChecks: readonly ExchangeCheck[] = [...envelopeChecks, err12, err13, err14];
