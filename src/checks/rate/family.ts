// The RATE checks that judge one exchange. Laws over a key's series are in rate-history.ts.
import type { ExchangeCheck } from '../check.ts';
import { rate01 } from './rate-01.ts';
import { rate02 } from './rate-02.ts';
import { rate05 } from './rate-05.ts';
import { rate12 } from './rate-12-ietf-fields.ts';

export const rateChecks: readonly ExchangeCheck[] = [rate01, rate02, rate05, rate12];
