// Every case of somebody else's API, of whichever server.
import type { ContractCase } from './cases.ts';
import { DOCUMENTS_CASES } from './documents-cases.ts';
import { FOLLOWED_CASES } from './followed-cases.ts';
import { LIMITED_CASES } from './limited-cases.ts';
import { NUMBERED_CASES } from './numbered-cases.ts';
import { ORDERS_CASES } from './orders-cases.ts';
import { TODO_CASES } from './todos-cases.ts';

export const CONTRACT_CASES: readonly Pick<ContractCase<unknown>, 'clause' | 'is'>[] = [
  ...LIMITED_CASES,
  ...ORDERS_CASES,
  ...NUMBERED_CASES,
  ...DOCUMENTS_CASES,
  ...TODO_CASES,
  ...FOLLOWED_CASES,
];
