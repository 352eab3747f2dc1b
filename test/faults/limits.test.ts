// Faults of a law over many calls: limits.
import { faultTable } from './table.ts';

faultTable('limits');
