// Faults of a law over many calls: the lives of resources, the even ones of the list.
import { faultTable } from './table.ts';

faultTable('lives', 2);
