// Every response against its schema.
import { showFamilies } from './show.ts';

showFamilies('SCH');
