// Webhooks, and what clients of the platform do.
import { showFamilies } from './show.ts';

showFamilies('HOOK', 'CLIENT');
