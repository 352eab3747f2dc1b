// How the tests of checks ask a check: one word or the breaches, never a check judged where it does not apply.

import type { DescriptionCheck, ExchangeCheck, Subject, Under } from '../../../src/checks/check.ts';
import type { ContractName } from '../../../src/contract/contract.ts';
import type { Breach, Judgement } from '../../../src/contract/judgement.ts';
import type { Description } from '../../../src/openapi/model/operation.ts';
import { termsOfBase } from '../run/terms.ts';

export type Outcome = 'does not apply' | 'holds' | 'cannot tell' | readonly Breach[];

/** What the check says of the subject. */
export function outcome(check: ExchangeCheck, subject: Subject): Outcome {
  return check.applies(subject) ? spoken(check.judge(subject)) : 'does not apply';
}

/** The contract of this base, and nothing stated beyond it. */
export function underBase(contract: ContractName): Under {
  return { contract, terms: termsOfBase(contract) };
}

/** The same with breaches as `weight cause pointer`, for short tests. */
export function brief(check: ExchangeCheck, subject: Subject): string | readonly string[] {
  const said = outcome(check, subject);
  return typeof said === 'string' ? said : said.map(inBrief);
}

/** What the check says of the description: outcomes by operation key, "" for the description as a whole. */
export function briefOf(
  check: DescriptionCheck,
  description: Description,
  contract: ContractName = 'commerce',
): Record<string, string | readonly string[]> {
  return Object.fromEntries(
    check.judge(description, underBase(contract)).map(({ operation, judgement }) => {
      const said = spoken(judgement);
      return [operation ?? '', typeof said === 'string' ? said : said.map(inBrief)];
    }),
  );
}

export function spoken(judgement: Judgement): Exclude<Outcome, 'does not apply'> {
  if (judgement.kind === 'breached') return judgement.breaches;
  return judgement.kind === 'holds' ? 'holds' : 'cannot tell';
}

export function inBrief({ weight, cause, pointer }: Breach): string {
  return [...(weight === 'breach' ? [] : [`${weight}:`]), cause, ...(pointer ? [`(${pointer})`] : [])].join(' ');
}
