// Which table tries the faults of which families.

/** Families of clauses by table. Each table is a file of its own here, so that two run at once. */
export const TABLES = {
  answers: ['SPEC', 'SCH'],
  errors: ['ERR'],
  requests: ['AUTH', 'REQ', 'VER', 'RED', 'HEALTH', 'INT'],
  paging: ['PAG'],
  idempotency: ['IDEM'],
  limits: ['RATE'],
  lives: ['LIFE'],
} satisfies Record<string, readonly string[]>;
