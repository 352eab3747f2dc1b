// Errors, refusals and bad requests of an API that is not the platform: each defect fails by its clause, and no oddity is blamed.
import { judgedByContract } from './in-memory.ts';
import { contractTable } from './table.ts';
import { TODO_KEYS, todosApi } from './todos.ts';

contractTable('an API of to-dos', ({ manner, ways, contract }, asking) =>
  judgedByContract(todosApi(manner, ways, contract), asking, TODO_KEYS),
);
