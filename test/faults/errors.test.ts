// Faults in errors.
import { faultTable } from './table.ts';

faultTable('errors');
