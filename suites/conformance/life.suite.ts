// The life of a resource.
import { showFamilies } from './show.ts';

showFamilies('LIFE');
