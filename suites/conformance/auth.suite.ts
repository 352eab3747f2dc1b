// Who is let in.
import { showFamilies } from './show.ts';

showFamilies('AUTH');
