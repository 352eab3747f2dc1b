// The proof of the verdict, faults of the laws over many calls: paging, idempotency, limits.
import { FAULTS } from '../src/platform/faults/all.ts';
import { faultTable } from './fault-table.ts';
import { isLaw } from './mutant.ts';

faultTable(
  'faults of laws',
  FAULTS.filter(({ clause }) => isLaw(clause)),
);
