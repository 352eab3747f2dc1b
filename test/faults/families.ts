// Which table tries the faults of which families.

/** Families of clauses by table. Each table is a file of its own here, so that two run at once, and no file takes a tenth of the whole. */
export const TABLES = {
  descriptions: ['SPEC'],
  answers: ['SCH'],
  errors: ['ERR'],
  access: ['AUTH'],
  requests: ['REQ', 'VER', 'RED', 'HEALTH', 'INT'],
  paging: ['PAG'],
  idempotency: ['IDEM'],
  limits: ['RATE'],
  lives: ['LIFE'],
} satisfies Record<string, readonly string[]>;

/** The family of a table of several files takes too long for one: `lives-1.test.ts` tries every other of its faults. */
export const FILES_OF_TABLE: Readonly<Partial<Record<keyof typeof TABLES, number>>> = { lives: 2 };
