// All tolerance cases: allowed oddities, each of which must raise nothing.
import type { Deviation } from '../deviation.ts';
import { ANSWER_TOLERANCES } from './answers.ts';
import { DESCRIPTION_TOLERANCES } from './descriptions.ts';
import { ERROR_TOLERANCES } from './errors.ts';
import { IDEM_TOLERANCES } from './idem.ts';
import { LIST_TOLERANCES } from './lists.ts';
import { REQUEST_TOLERANCES } from './requests.ts';

export const TOLERANCES: readonly Deviation[] = [
  ...DESCRIPTION_TOLERANCES,
  ...ERROR_TOLERANCES,
  ...REQUEST_TOLERANCES,
  ...ANSWER_TOLERANCES,
  ...LIST_TOLERANCES,
  ...IDEM_TOLERANCES,
];
