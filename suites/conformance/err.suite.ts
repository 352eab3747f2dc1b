// The error envelope.
import { showFamilies } from './show.ts';

showFamilies('ERR');
