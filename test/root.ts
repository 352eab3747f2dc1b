// Tells where the repository stands. A file of its own: sources.ts reads every source, which most tests do not need.
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..');
