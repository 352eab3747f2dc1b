// Faults of who may call what.
import { faultTable } from './table.ts';

faultTable('access');
