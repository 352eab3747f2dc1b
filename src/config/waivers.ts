// waivers.yaml: violations that somebody answers for until a day, read and checked.

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isSecurityClause } from '../contract/clauses.ts';
import type { Waiver } from '../contract/report.ts';
import { type ConfigProblem, configError, UsageError } from './errors.ts';
import { readConfig } from './read.ts';
import { schemaProblems } from './schema-problems.ts';

/** Its name beside the configuration, where `--waivers` names no other. */
const USUAL_NAME = 'waivers.yaml';

/** One entry once the schema has accepted it. */
interface WaiverDocument {
  readonly clause: string;
  readonly operation?: string;
  readonly fingerprint?: string;
  readonly reason: string;
  readonly owner: string;
  readonly ticket?: string;
  readonly expires: string;
  readonly allowSecurity?: boolean;
}

/**
 * The waivers of the file named, else of waivers.yaml in the folder, if there is one, else none. Throws UsageError with
 * every problem of the file; a security clause needs `allowSecurity: true`.
 */
export async function loadWaivers(
  named: string | null,
  cwd: string,
  folder: string | null,
): Promise<readonly Waiver[]> {
  const usual = folder === null ? null : join(folder, USUAL_NAME);
  const file = named === null ? usual : resolve(cwd, named);
  if (file === null || !existsSync(file)) {
    if (named === null) return [];
    throw new UsageError(
      'ASSAY_CONFIG_NOT_FOUND',
      `--waivers: ${file} does not exist`,
      'name the file that holds them',
    );
  }
  const document = await readConfig(file);
  const [first, ...rest] = problemsOf(document);
  if (first !== undefined) throw configError(file, [first, ...rest], 'docs/ci.md shows a file of waivers');
  return (document as { readonly waivers: readonly WaiverDocument[] }).waivers.map(waiverOf);
}

function problemsOf(document: unknown): readonly ConfigProblem[] {
  const problems = schemaProblems(document, new Set(), 'waivers.schema.json');
  if (problems.length > 0) return problems;
  const { waivers } = document as { readonly waivers: readonly WaiverDocument[] };
  return waivers.flatMap(({ clause, allowSecurity }, at) => {
    if (!isSecurityClause(clause) || allowSecurity === true) return [];
    const message = `${clause} is a clause of security: waiving it needs allowSecurity: true beside it`;
    return [{ code: 'ASSAY_CONFIG_KEY_MISSING' as const, key: `waivers[${at}].allowSecurity`, message }];
  });
}

function waiverOf({ clause, operation, fingerprint, reason, owner, ticket, expires }: WaiverDocument): Waiver {
  return {
    clause,
    operation: operation ?? null,
    fingerprint: fingerprint ?? null,
    reason,
    owner,
    ticket: ticket ?? null,
    expires,
  };
}
