// Whose limits an answer tells, as its description and the contract have it.
import { type Limited, limitedBy } from '../../limiters/reading.ts';
import type { Subject } from '../check.ts';

export function limitedIn({ terms, description }: Pick<Subject, 'terms' | 'description'>): Limited {
  return limitedBy(terms, description?.operations ?? NO_OPERATIONS);
}

const NO_OPERATIONS = [] as const;
