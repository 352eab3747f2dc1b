// Oddities that the lives of resources allow.
import { toleranceTable } from './table.ts';

toleranceTable('lives');
