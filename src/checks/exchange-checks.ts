// Every check that judges one exchange: all of them run on every exchange, whoever caused it.
import type { ExchangeCheck } from './check.ts';
import { errChecks } from './err/family.ts';
import { pag01 } from './pag/pag-01.ts';
import { pag03 } from './pag/pag-03.ts';
import { pag04 } from './pag/pag-04.ts';
import { pag05 } from './pag/pag-05.ts';
import { pag11 } from './pag/pag-11.ts';
import { rateChecks } from './rate/family.ts';
import { red01 } from './red/red-01.ts';
import { sch01 } from './sch/sch-01.ts';
import { sch02 } from './sch/sch-02.ts';
import { sch03 } from './sch/sch-03.ts';
import { sch04 } from './sch/sch-04.ts';
import { sch05, sch06, sch07, sch08 } from './sch/sch-05-to-08-statuses.ts';
import { sch09 } from './sch/sch-09.ts';
import { ver02 } from './ver/ver-02.ts';

const schChecks: readonly ExchangeCheck[] = [sch01, sch02, sch03, sch04, sch05, sch06, sch07, sch08, sch09];
/** The clauses of PAG that one answer shows by itself. */
export const pagChecks: readonly ExchangeCheck[] = [pag01, pag03, pag04, pag05, pag11];

export const EXCHANGE_CHECKS: readonly ExchangeCheck[] = [
  ...schChecks,
  ...errChecks,
  ...pagChecks,
  ...rateChecks,
  ver02,
  red01,
];
