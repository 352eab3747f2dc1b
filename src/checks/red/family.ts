// The RED checks.
import type { ExchangeCheck } from '../check.ts';
import { red01 } from './red-01.ts';

export const redChecks: readonly ExchangeCheck[] = [red01];
