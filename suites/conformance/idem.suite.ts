// Idempotency.
import { showFamilies } from './show.ts';

showFamilies('IDEM');
