// Versions, redirects, liveness and internal paths.
import { showFamilies } from './show.ts';

showFamilies('VER', 'RED', 'HEALTH', 'INT');
