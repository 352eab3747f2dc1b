// Faults in answers that do not follow their descriptions.
import { faultTable } from './table.ts';

faultTable('answers');
