// The PAG checks that look at one exchange.
import type { ExchangeCheck } from '../check.ts';
import { pag01 } from './pag-01.ts';
import { pag03 } from './pag-03.ts';
import { pag04 } from './pag-04.ts';
import { pag05 } from './pag-05.ts';
import { pag11 } from './pag-11.ts';

export const pagChecks: readonly ExchangeCheck[] = [pag01, pag03, pag04, pag05, pag11];
