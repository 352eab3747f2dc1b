// The configuration and what extends it, typed for editors: `export default defineConfig({ … })` in assay.config.ts.
import type { OwnCheck } from '../../checks/own-check.ts';
import type { ConfigDocument } from '../../config/load.ts';
import type { OwnReporter } from '../../reporters/own-reporter.ts';
import type { Extension } from './extensions.ts';
import type { OwnHook } from './hooks.ts';

/** A configuration as a file states it: assay.config.ts may bring checks, reporters and hooks, too. */
export interface AssayConfig extends ConfigDocument {
  readonly checks?: readonly OwnCheck[];
  readonly reporters?: readonly OwnReporter[];
  readonly hooks?: readonly OwnHook[];
}

/** The configuration as it is; what it states is checked when it is used. */
export function defineConfig(config: AssayConfig): AssayConfig {
  return config;
}

/** Checks, reporters and hooks in a module of their own, which `extend` of a configuration names. */
export function defineExtension(extension: Extension): Extension {
  return extension;
}
