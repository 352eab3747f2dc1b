// The terms that tests judge by where they state none: those of the contract's base.
import type { ContractName } from '../../../src/contract/contract.ts';
import { COMMERCE_TERMS } from '../../../src/contract/shipped.ts';
import { NO_TERMS, type Terms } from '../../../src/contract/terms.ts';

export function termsOfBase(contract: ContractName): Terms {
  return contract === 'commerce' ? COMMERCE_TERMS : NO_TERMS;
}
