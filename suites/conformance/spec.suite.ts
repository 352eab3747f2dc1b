// The descriptions themselves.
import { showFamilies } from './show.ts';

showFamilies('SPEC');
