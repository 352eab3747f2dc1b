// Faults in descriptions and in answers that follow them.
import { faultTable } from './table.ts';

faultTable('answers');
