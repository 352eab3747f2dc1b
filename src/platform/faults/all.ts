// All faults, by family in the contract's order. A family of a later issue adds its file and its line here.
import type { Deviation } from '../deviation.ts';
import { AUTH_FAULTS } from './auth.ts';
import { ERR_FAULTS } from './err.ts';
import { LEAK_FAULTS } from './err-leaks.ts';
import { IDEM_FAULTS } from './idem.ts';
import { LIFE_FAULTS } from './life.ts';
import { PAG_FAULTS } from './pag.ts';
import { RATE_FAULTS } from './rate.ts';
import { REQ_FAULTS } from './req.ts';
import { OTHER_FAULTS } from './rest.ts';
import { ANSWER_FAULTS } from './sch-answers.ts';
import { BODY_FAULTS } from './sch-bodies.ts';
import { INPUT_FAULTS } from './sch-inputs.ts';
import { SPEC_FAULTS } from './spec.ts';

export const FAULTS: readonly Deviation[] = [
  ...SPEC_FAULTS,
  ...BODY_FAULTS,
  ...ANSWER_FAULTS,
  ...INPUT_FAULTS,
  ...ERR_FAULTS,
  ...LEAK_FAULTS,
  ...AUTH_FAULTS,
  ...REQ_FAULTS,
  ...PAG_FAULTS,
  ...IDEM_FAULTS,
  ...OTHER_FAULTS,
  ...LIFE_FAULTS,
  ...RATE_FAULTS,
];
