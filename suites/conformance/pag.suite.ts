// Pagination.
import { showFamilies } from './show.ts';

showFamilies('PAG');
