// Faults of a law over many calls: idempotency.
import { faultTable } from './table.ts';

faultTable('idempotency');
