// Faults of a law over many calls: the lives of resources, the odd ones of the list.
import { faultTable } from './table.ts';

faultTable('lives', 1);
