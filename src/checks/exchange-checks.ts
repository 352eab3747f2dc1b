// Every check that judges one exchange: all of them run on every exchange, whoever caused it.
import type { ExchangeCheck } from './check.ts';
import { errChecks } from './err/family.ts';
import { pagChecks } from './pag/family.ts';
import { rateChecks } from './rate/family.ts';
import { redChecks } from './red/family.ts';
import { schChecks } from './sch/family.ts';
import { verChecks } from './ver/family.ts';

export const EXCHANGE_CHECKS: readonly ExchangeCheck[] = [
  ...schChecks,
  ...errChecks,
  ...pagChecks,
  ...rateChecks,
  ...verChecks,
  ...redChecks,
];
