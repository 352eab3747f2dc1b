// Faults of the descriptions.
import { faultTable } from './table.ts';

faultTable('descriptions');
