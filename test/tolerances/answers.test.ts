// Oddities that all other clauses allow.
import { toleranceTable } from './table.ts';

toleranceTable('answers');
