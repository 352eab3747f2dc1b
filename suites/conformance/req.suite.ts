// What bad requests get.
import { showFamilies } from './show.ts';

showFamilies('REQ');
