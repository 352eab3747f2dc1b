// Conditional requests.
import { showFamilies } from './show.ts';

showFamilies('COND');
