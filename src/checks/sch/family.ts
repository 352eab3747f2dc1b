// The SCH checks.
import type { ExchangeCheck } from '../check.ts';
import { sch01 } from './sch-01.ts';
import { sch02 } from './sch-02.ts';
import { sch03 } from './sch-03.ts';
import { sch04 } from './sch-04.ts';
import { sch05, sch06, sch07, sch08 } from './sch-05-to-08-statuses.ts';
import { sch09 } from './sch-09.ts';

export const schChecks: readonly ExchangeCheck[] = [sch01, sch02, sch03, sch04, sch05, sch06, sch07, sch08, sch09];
