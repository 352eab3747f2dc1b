// The descriptions of a configuration, all read before anything is sent.

import { askerOf } from '../../client/reach.ts';
import type { Config, RunOptions } from '../../config/config.ts';
import type { ConstantHeader } from '../../config/constant-header.ts';
import { UsageError } from '../../config/errors.ts';
import { checkListPlaces } from '../../config/list-places.ts';
import { suggestion } from '../../config/nearest.ts';
import { plural } from '../../contract/numbers.ts';
import { operationMatcher } from '../../contract/operation-glob.ts';
import { NO_TERMS } from '../../contract/terms.ts';
import type { DescriptionCache } from '../../openapi/cache/cache.ts';
import type { Description, Operation } from '../../openapi/model/operation.ts';
import { PAGING_NAMES, pagingOf, queryNames } from '../../openapi/model/paging.ts';
import { loadDescription } from '../../openapi/read/load.ts';
import { DescriptionUnreadable } from '../../openapi/read/unreadable.ts';
import { placementOf } from '../../probes/auth/security.ts';
import { mutates } from '../../probes/world.ts';
import { withClaims } from '../../run/plan/claims.ts';
import { hasTwoAccounts } from '../../run/plan/selection.ts';
import { withFixedInput } from '../../run/reach/fixed-input.ts';

/** The texts of descriptions that are at hand, by their path or URL: they are not read again. */
export type DescriptionTexts = ReadonlyMap<string, string>;

const NO_TEXTS: DescriptionTexts = new Map();

/** The description of every service that has one, in configured order; taken from the cache where it is known. Throws one UsageError that names every unreadable file. */
export async function loadDescriptions(
  config: Pick<Config, 'services' | 'remoteRefs'> &
    Partial<Pick<Config, 'target' | 'contract' | 'stated' | 'laws' | 'proxies' | 'operations' | 'keys'>>,
  cache?: DescriptionCache,
  texts: DescriptionTexts = NO_TEXTS,
): Promise<readonly Description[]> {
  const { target, services, proxies } = config;
  const ask =
    target === undefined ? {} : { ask: askerOf({ target, services, ...(proxies === undefined ? {} : { proxies }) }) };
  const common = { ...ask, remoteRefs: config.remoteRefs, ...(cache === undefined ? {} : { cache }) };
  const named = config.services.flatMap(({ name, spec, basePath, baseUrl }) => {
    if (spec === null) return [];
    const [text, rebase] = [texts.get(spec), rebaseOf(config.contract, baseUrl ?? config.target?.baseUrl, basePath)];
    return [{ service: name, file: spec, rebase, ...(text === undefined ? {} : { text }) }];
  });
  const outcomes = await Promise.allSettled(named.map((source) => loadDescription({ ...source, ...common })));
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  const defect = failures.find((failure) => !(failure instanceof DescriptionUnreadable));
  if (defect !== undefined) throw defect;
  if (failures.length > 0) throw unreadable(failures);
  const loaded = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const { contract, stated, laws, operations = [], keys = [] } = config;
  if (contract === 'openapi') checkHeaders(target?.headers ?? [], loaded);
  const input = withFixedInput({ operations, keys }, loaded);
  return contract === undefined || stated === undefined || laws === undefined
    ? input
    : withClaims({ contract, stated, laws }, input);
}

/**
 * Throws UsageError where a header of all requests is one in which a security scheme is sent: requests that must be refused would
 * carry it, too.
 */
function checkHeaders(headers: readonly ConstantHeader[], descriptions: readonly Description[]): void {
  for (const { securitySchemes, operations } of descriptions) {
    const used = new Set(operations.flatMap(({ security }) => security.flat()));
    for (const scheme of securitySchemes.filter(({ name }) => used.has(name))) {
      const { in: place, name } = placementOf(scheme, '');
      const held = headers.find((header) => place === 'header' && header.name.toLowerCase() === name.toLowerCase());
      if (held === undefined) continue;
      throw new UsageError(
        'ASSAY_CONFIG_VALUE_INVALID',
        `target.headers.${held.name}: the description sends its security scheme ${scheme.name} in that header, and requests without a key would carry it, too`,
        `give it as a key: keys: [{ name: main, plan: any, scheme: ${scheme.name}, token: "\${NAME}" }]`,
      );
    }
  }
}

/** Throws UsageError where `lists` names operations that no description has. */
export function checkLists({ lists }: Pick<Config, 'lists'>, descriptions: readonly Description[]): void {
  checkListPlaces(
    lists,
    descriptions.flatMap(({ operations }) => operations.map(({ key }) => key)),
  );
}

/** Throws UsageError where AUTH-08 is in the run and expected to hold, and no key is of another account: nothing can ever judge it. */
export function checkIsolation(
  config: Pick<Config, 'expect' | 'keys'>,
  { clauses }: Pick<RunOptions, 'clauses'>,
): void {
  const isInRun = clauses.length === 0 || clauses.includes('AUTH-08');
  if (!config.expect.isolation || !isInRun || hasTwoAccounts(config)) return;
  throw new UsageError(
    'ASSAY_CONFIG_VALUE_INVALID',
    'expect.isolation can never be judged (AUTH-08): no key is of another account than the first one',
    'state the account of each key (keys[].account), or leave expect.isolation out',
  );
}

/** Throws UsageError where `laws` stands beside `contract: commerce`, claims something for operations that no description has, or that none of its clauses can speak of. */
export function checkLaws(
  { laws, contract }: Pick<Config, 'laws' | 'contract'>,
  descriptions: readonly Description[],
): void {
  const stated = (['pagination', 'idempotency'] as const).find((law) => laws[law].length > 0);
  if (contract === 'commerce' && stated !== undefined)
    throw new UsageError(
      'ASSAY_CONFIG_VALUE_INVALID',
      `laws.${stated}: laws are claimed beyond a description, and go with contract: openapi; contract: commerce names its own`,
      'set contract: openapi, or leave laws out',
    );
  const described = descriptions.flatMap((description) =>
    description.operations.map((operation) => ({ operation, description })),
  );
  const keys = described.map(({ operation }) => operation.key);
  for (const law of ['pagination', 'idempotency'] as const) {
    const claims = laws[law].map((glob) => {
      const matches = operationMatcher([glob]);
      return { glob, own: described.filter(({ operation }) => matches(operation.key)) };
    });
    const idle = claims.filter(({ own }) => own.length === 0).map(({ glob }) => glob);
    if (idle.length > 0)
      throw new UsageError(
        'ASSAY_OPERATION_UNKNOWN',
        `laws.${law}: ${idle.map((glob) => `"${glob}"${suggestion(glob, keys)}`).join(', ')} matches none of the ${plural(keys.length, 'operation')}`,
        'a glob over method and path, such as "GET /pets*"',
      );
    const vain = claims.filter(({ own }) => own.every((one) => untriable(one, law, contract) !== null));
    const [first] = vain;
    if (first === undefined) continue;
    const reasons = first.own.map((one) => untriable(one, law, contract));
    throw new UsageError(
      'ASSAY_CONFIG_VALUE_INVALID',
      `laws.${law}: ${vain.map(({ glob }) => `"${glob}"`).join(', ')} can never be judged: ${reasons[0]}`,
      HINTS[law],
    );
  }
}

const HINTS = {
  pagination: `name lists that take a size or a page (${PAGING_NAMES}), or leave the claim out`,
  idempotency: 'name operations that change something, such as "POST /orders", or leave the claim out',
} as const;

/** Why the law can be tried on the operation in no run; null where it can. */
function untriable(
  one: { readonly operation: Operation; readonly description: Description },
  law: keyof Config['laws'],
  contract: Config['contract'],
): string | null {
  const { key, method } = one.operation;
  if (law === 'idempotency')
    return mutates(one.operation) && method !== 'DELETE'
      ? null
      : `${key} makes and changes nothing that a key could keep from happening twice`;
  if (method !== 'GET') return `${key} is no list that is read with GET`;
  if (pagingOf(one, { contract, terms: NO_TERMS }) !== null) return null;
  const names = queryNames(one.operation, one.description).map(({ name }) => name);
  const taken = names.length === 0 ? 'takes no query parameter' : `takes ${names.join(', ')}`;
  return `${key} ${taken}, and no clause speaks of pages that are asked for so`;
}

/** A stated base path; else that of the servers, unless the service's address brings it along already (contract: openapi). */
function rebaseOf(
  contract: Config['contract'] | undefined,
  baseUrl: string | undefined,
  stated: string | null,
): (serverPath: string) => string {
  if (stated !== null) return () => stated;
  const below = contract === 'openapi' && baseUrl !== undefined ? new URL(baseUrl).pathname.replace(/\/+$/, '') : '';
  return (serverPath) => (below.endsWith(serverPath) ? '' : serverPath);
}

/** The error that tells of all descriptions that cannot be read at once. */
export function unreadable(failures: readonly DescriptionUnreadable[]): UsageError {
  const lines = failures.map(({ message }) => message);
  const text = lines.length === 1 ? `description ${lines[0]}` : `descriptions cannot be read:\n  ${lines.join('\n  ')}`;
  return new UsageError(
    'ASSAY_DESCRIPTION_UNREADABLE',
    text,
    failures[0]?.hint ?? 'check services.*.spec',
    failures[0],
  );
}
