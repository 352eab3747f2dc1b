// The configuration when there is no file but `--base-url` names a target: the descriptions shipped with the package,
// and the keys that the environment holds under the names that `assay init` uses. Nothing is changed on the target.
import { join } from 'node:path';
import { SERVICE_SIZES } from '../contract/platform.ts';
import type { Config, ServiceConfig } from './config.ts';
import { checkConfig } from './load.ts';
import { PACKAGE_ROOT } from './package-root.ts';

/** Variables that hold the tokens, by plan; those that are not set are left out. */
export const TOKEN_VARIABLES = {
  standard: 'ASSAY_STANDARD',
  growth: 'ASSAY_GROWTH',
  enterprise: 'ASSAY_ENTERPRISE',
} as const;

/** The services of the contract with the descriptions that the package ships. */
export function builtinServices(): ServiceConfig[] {
  return Object.keys(SERVICE_SIZES).map((name) => ({
    name,
    spec: join(PACKAGE_ROOT, 'specs', `${name}.openapi.yaml`),
    basePath: null,
  }));
}

/** The shipped descriptions against `baseUrl`. Throws UsageError when it is no http(s) URL. */
export function builtinConfig(baseUrl: string, env: Readonly<Record<string, string | undefined>>): Config {
  const keys = Object.entries(TOKEN_VARIABLES)
    .filter(([, name]) => env[name])
    .map(([plan, name]) => ({ name: plan, plan, token: env[name] }));
  const document = {
    target: { baseUrl },
    services: Object.fromEntries(builtinServices().map(({ name, spec }) => [name, { spec }])),
    keys,
    credentials: { locked: env.ASSAY_LOCKED || undefined, expired: env.ASSAY_EXPIRED || undefined },
  };
  const config = checkConfig(document, join(PACKAGE_ROOT, 'built-in configuration'), { baseUrl, env });
  return { ...config, file: null };
}
