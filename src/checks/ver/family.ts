// The VER checks that look at one exchange.
import type { ExchangeCheck } from '../check.ts';
import { ver02 } from './ver-02.ts';

export const verChecks: readonly ExchangeCheck[] = [ver02];
