// Faults of a law over many calls: the lives of resources.
import { faultTable } from './table.ts';

faultTable('lives');
