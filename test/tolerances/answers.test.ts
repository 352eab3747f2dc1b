// Oddities that all other clauses allow: of answers, and of what is let in.
import { toleranceTable } from './table.ts';

toleranceTable('answers');
