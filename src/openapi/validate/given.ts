// What the code of judges is given besides the values: it stands in that code by these names, so that the code can be
// written down and be run in another process.
import { _ } from 'ajv';
import { patternOf } from '../patterns/pattern.ts';
import { firstTwins, isOneOf } from './sameness.ts';
import { spend } from './spending.ts';

export const GIVEN = { patternOf, firstTwins, isOneOf, spend } as const;

/** The parameter of the code that holds them. */
export const GIVEN_NAME = 'given';

/** How the code names each of them. */
export const GIVEN_CODE = {
  patternOf: _`given.patternOf`,
  firstTwins: _`given.firstTwins`,
  isOneOf: _`given.isOneOf`,
  spend: _`given.spend`,
} as const;
