// Digests the settings of a configuration that decide the requests of a run or its judgements: the parts of one run
// have them in common. Tokens, constant headers and addresses are not among them: keys are renewed, and each shard may
// have a target of its own.
import { hash } from 'node:crypto';
import type { Config, OperationConfig } from '../../config/config.ts';
import { inOrder } from '../../openapi/json.ts';

/** Digest of the settings; equal for equal ones, whatever the order of their keys. */
export function settingsOf(config: Config): string {
  const { target, services, keys, credentials, fixtures, mutations, payments, limits } = config;
  const { contract, laws, lists, expect, promote, invalidTokens, operations } = config;
  const settings = {
    ...{
      contract,
      mutations,
      payments,
      created: limits.created,
      environment: target.environment,
      knowsDocs: target.docsUrl !== null,
    },
    services: services.map(({ name, spec, basePath }) => ({ name, basePath, isPending: spec === null })),
    keys: keys.map(({ name, plan, account, scheme }) => ({ name, plan, account, scheme })),
    credentials: { locked: credentials.locked !== null, expired: credentials.expired !== null },
    ...(operations.length > 0 && { operations: operations.map(withNamesAlone) }),
    ...(invalidTokens !== null && { invalidTokens: invalidTokens.toSorted() }),
    ...{ fixtures: Object.keys(fixtures).toSorted(), laws, lists, expect, promote: promote.toSorted() },
  };
  return hash('sha256', JSON.stringify(inOrder(settings))).slice(0, 16);
}

/** Values differ from one target to the next, as those of fixtures do. */
function withNamesAlone({ body, parameters, ...others }: OperationConfig): unknown {
  return { ...others, body: Object.keys(body), parameters: Object.keys(parameters) };
}
