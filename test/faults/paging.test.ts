// Faults of a law over many calls: paging.
import { faultTable } from './table.ts';

faultTable('paging');
