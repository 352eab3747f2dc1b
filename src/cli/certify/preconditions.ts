// Foresees, by configuration and descriptions, that a run could not end in a verdict: that is said before anything is sent, not after it.

import type { Config } from '../../config/config.ts';
import { type ConfigProblem, UsageError } from '../../config/errors.ts';
import { CLAUSES } from '../../contract/clauses.ts';
import { leastOf } from '../../contract/grounds.ts';
import { commandOf } from '../../contract/judged-by.ts';
import { counted } from '../../contract/measures.ts';
import { plural } from '../../contract/numbers.ts';
import { OTHER_TOKENS } from '../../contract/other-tokens.ts';
import { createCatalogue } from '../../openapi/model/catalogue.ts';
import { idsByFamily } from '../../reporters/basis.ts';
import { absenceOf, selectOperations } from '../../run/plan/selection.ts';
import type { Job } from '../conform/prepare.ts';

/** Reasons that the user can do away with; all others show only when the target answers. */
const OF_CONFIGURATION: readonly string[] = ['no-credential', 'mutations-denied', 'filtered'];

type Plan = Pick<Job, 'config' | 'options' | 'descriptions'>;

/** Throws UsageError where must clauses cannot be tested with this configuration, and it does not accept that. */
export function mustBeCertifiable(plan: Plan): void {
  const lacking = lackingFor(plan);
  if (lacking.length === 0) return;
  const reasons = [...Map.groupBy(lacking, ({ message }) => message)];
  const lines = reasons.map(([message, same]) => `${idsByFamily(same.map(({ key }) => key))}: ${message}`).join('\n  ');
  throw new UsageError(
    'ASSAY_CERTIFY_UNREADY',
    `this run could not end in a verdict: ${plural(lacking.length, 'must clause')} would not be tested:\n  ${lines}`,
    `give what is missing, or accept it by name: certify: { accept: { ${lacking[0]?.key}: why it cannot be tested here } }`,
  );
}

/** Each must clause that would not be tested, and why. */
export function lackingFor({ config, options, descriptions }: Plan): readonly Pick<ConfigProblem, 'key' | 'message'>[] {
  const selected = selectOperations(createCatalogue(descriptions), options);
  const services = new Set(selected.map(({ operation }) => operation.service)).size;
  return CLAUSES.flatMap((clause) => {
    const { id, level } = clause;
    if (level !== 'must' || config.certify.accept[id] !== undefined || commandOf(id) !== null) return [];
    const absence = absenceOf(clause, config, options, null, selected);
    if (absence.reasonCode === 'not-declared' || absence.reasonCode === 'service-pending') return [];
    const reason = OF_CONFIGURATION.includes(absence.reasonCode)
      ? absence.reason
      : (withoutToken(id, config) ?? withFewServices(id, services));
    return reason === null ? [] : [{ key: id, message: reason }];
  });
}

/** Why a clause on a token of another kind cannot be tested; null where it can. */
function withoutToken(id: string, { credentials }: Config): string | null {
  return OTHER_TOKENS.find(({ token, clause }) => clause === id && credentials[token] === null)?.lack ?? null;
}

/** Names the services that the clause lacks where fewer have operations than a pass needs; null where that is not what it lacks. */
function withFewServices(clause: string, services: number): string | null {
  const least = leastOf(clause, 'services');
  return services < least ? `needs operations of ${counted('services', least)}` : null;
}
