// A configuration and options for the tests of the run.

import type { Config, RunOptions } from '../../../src/config/config.ts';
import { contractOf } from '../../../src/config/contract-file.ts';
import { withLaws } from '../../../src/contract/contract.ts';

const NO_LAWS = { pagination: [], idempotency: [] };

export function configWith(changes: Partial<Config> = {}): Config {
  return {
    file: null,
    folder: null,
    target: { baseUrl: 'http://127.0.0.1:8080', docsUrl: null, environment: 'local' },
    services: [{ name: 'admin', spec: 'specs/admin.openapi.yaml', basePath: null }],
    keys: [
      { name: 'ent-1', plan: 'enterprise', token: 'token-of-ent-1', tokenCommand: null, account: null, scheme: null },
    ],
    credentials: { locked: null, expired: null },
    invalidTokens: null,
    fixtures: {},
    mutations: 'allow',
    payments: { consent: 'allow', operations: [] },
    contract: 'commerce',
    stated: withLaws(contractOf(changes.contract ?? 'commerce', '.'), changes.laws ?? NO_LAWS),
    laws: NO_LAWS,
    load: {},
    remoteRefs: [],
    expect: { plans: {}, isolation: false },
    certify: { accept: {} },
    promote: [],
    lists: [],
    skip: [],
    operations: [],
    evidence: { errorMessages: 'redact' },
    env: null,
    gate: { minOperations: null },
    webhooks: null,
    clients: [],
    limits: { created: { perOperation: 5, total: 200 } },
    own: { checks: [], reporters: [], hooks: [], extend: [] },
    secrets: [],
    ...changes,
  };
}

export function optionsWith(changes: Partial<RunOptions> = {}): RunOptions {
  return {
    out: null,
    services: [],
    operations: [],
    clauses: [],
    seed: 1,
    runId: null,
    budget: null,
    timeLimitSeconds: null,
    ...changes,
  };
}
