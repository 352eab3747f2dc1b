// The contracts that ship with the program, and the presets that others extend: files in contracts/, read as they are. A test holds them to
// the schema.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { PACKAGE_ROOT } from './package-root.ts';
import type { Terms } from './terms.ts';
import { type ContractDocument, termsOf } from './terms-of.ts';

const FOLDER = join(PACKAGE_ROOT, 'contracts');
const ENDING = '.contract.yaml';

/** The names that `extends` knows beside files. */
export const SHIPPED_CONTRACTS: readonly string[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith(ENDING))
  .map((file) => file.slice(0, -ENDING.length));

/** The file of a shipped contract. */
export function shippedContractFile(name: string): string {
  return join(FOLDER, `${name}${ENDING}`);
}

const known = new Map<string, ContractDocument>();

/** The document of a shipped contract, as it stands there; read once a process. */
export function shippedContract(name: string): ContractDocument {
  const before = known.get(name);
  if (before !== undefined) return before;
  const document = parse(readFileSync(shippedContractFile(name), 'utf8')) as ContractDocument;
  known.set(name, document);
  return document;
}

/** The terms of the platform's own contract. */
export const COMMERCE_TERMS: Terms = termsOf(shippedContract('commerce'));
