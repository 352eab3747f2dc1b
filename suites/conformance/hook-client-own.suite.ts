// Webhooks, clients of the platform, and the user's own clauses where a configuration brings some.
import { showFamilies } from './show.ts';

showFamilies('HOOK', 'CLIENT', 'X');
