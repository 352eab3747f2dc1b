// All faults, by family in the contract's order. A family of a later issue adds its file and its line here.
import type { Deviation } from '../deviation.ts';
import { AUTH_FAULTS } from './auth.ts';
import { FIELD_FAULTS } from './err-fields.ts';
import { LEAK_FAULTS } from './err-leaks.ts';
import { SHAPE_FAULTS } from './err-shape.ts';
import { VALUE_FAULTS } from './err-values.ts';
import { IDEM_FAULTS } from './idem.ts';
import { LIFE_FAULTS } from './life.ts';
import { LIFE_WRITES } from './life-writes.ts';
import { PAG_FAULTS } from './pag.ts';
import { RATE_FAULTS } from './rate.ts';
import { HOSTILE_FAULTS, REGISTRATION_FAULTS } from './req-others.ts';
import { REFUSAL_FAULTS } from './req-refusals.ts';
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
  ...SHAPE_FAULTS,
  ...VALUE_FAULTS,
  ...FIELD_FAULTS,
  ...LEAK_FAULTS,
  ...AUTH_FAULTS,
  ...REFUSAL_FAULTS,
  ...REGISTRATION_FAULTS,
  ...HOSTILE_FAULTS,
  ...PAG_FAULTS,
  ...IDEM_FAULTS,
  ...OTHER_FAULTS,
  ...LIFE_FAULTS,
  ...LIFE_WRITES,
  ...RATE_FAULTS,
];
