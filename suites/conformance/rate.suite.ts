// Limits and their headers.
import { showFamilies } from './show.ts';

showFamilies('RATE');
