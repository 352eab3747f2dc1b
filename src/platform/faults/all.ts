// All faults, by family in the contract's order. A family of a later issue adds its file and its line here.
import type { Deviation } from '../deviation.ts';
import { AUTH_FAULTS } from './auth.ts';
import { ERR_FAULTS } from './err.ts';
import { REQ_FAULTS } from './req.ts';
import { OTHER_FAULTS } from './rest.ts';
import { SCH_FAULTS } from './sch.ts';
import { SPEC_FAULTS } from './spec.ts';

export const FAULTS: readonly Deviation[] = [
  ...SPEC_FAULTS,
  ...SCH_FAULTS,
  ...ERR_FAULTS,
  ...AUTH_FAULTS,
  ...REQ_FAULTS,
  ...OTHER_FAULTS,
];
