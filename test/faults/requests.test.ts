// Faults in what is let in: requests, versions, and what stands around them.
import { faultTable } from './table.ts';

faultTable('requests');
