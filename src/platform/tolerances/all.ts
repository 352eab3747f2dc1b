// All tolerance cases: allowed oddities, each of which must raise nothing.
import type { Deviation } from '../deviation.ts';
import { ANSWER_TOLERANCES } from './answers.ts';
import { DESCRIPTION_TOLERANCES } from './descriptions.ts';
import { ERROR_TOLERANCES } from './errors.ts';
import { IDEM_TOLERANCES } from './idem.ts';
import { LIFE_TOLERANCES } from './life.ts';
import { PAG_TOLERANCES } from './pag.ts';
import { RATE_TOLERANCES } from './rate.ts';
import { REQUEST_TOLERANCES } from './requests.ts';

export const TOLERANCES: readonly Deviation[] = [
  ...DESCRIPTION_TOLERANCES,
  ...ERROR_TOLERANCES,
  ...REQUEST_TOLERANCES,
  ...ANSWER_TOLERANCES,
  ...PAG_TOLERANCES,
  ...IDEM_TOLERANCES,
  ...LIFE_TOLERANCES,
  ...RATE_TOLERANCES,
];
