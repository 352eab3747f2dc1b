// Every case of the APIs of to-dos.
import type { TodoCase } from './todos-changes.ts';
import { FRAMEWORK_CASES } from './todos-framework-cases.ts';
import { OTHER_CASES } from './todos-other-cases.ts';
import { PROBLEM_CASES } from './todos-problem-cases.ts';

export const TODO_CASES: readonly TodoCase[] = [...PROBLEM_CASES, ...OTHER_CASES, ...FRAMEWORK_CASES];
