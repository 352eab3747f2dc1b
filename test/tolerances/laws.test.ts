// Oddities that the laws over many calls allow: paging, idempotency, limits.
import { toleranceTable } from './table.ts';

toleranceTable('laws');
