// Where in the interface's description each family of clauses stands. Imports nothing but the family's type.
import type { ClauseFamily } from './clause.ts';

/** Sections of the interface's description, by family; the user's own clauses have another source. */
export const FAMILY_SOURCE: Readonly<Record<ClauseFamily, string>> = {
  SPEC: 'Versioning; Authentication; Endpoints',
  SCH: 'Statuses declared on operations; the description itself',
  ERR: 'Errors; Error object fields; Code catalogue',
  AUTH: 'Authentication',
  REQ: 'Errors; Code catalogue; Endpoints',
  PAG: 'Endpoints, Pagination patterns; Paged envelope',
  IDEM: 'Endpoints, Idempotency',
  RATE: 'Limits',
  VER: 'Versioning',
  RED: 'Endpoints, Pagination patterns; Statuses declared on operations',
  HEALTH: 'Endpoints',
  INT: 'Endpoints',
  LIFE: 'Every client relies on it',
  HOOK: 'Events',
  CLIENT: 'Retry guidance; Limits; Authentication',
  X: 'The configuration of this run',
};
