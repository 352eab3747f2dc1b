// Three descriptions of the platform's full size, from a seed, also as files: what reads, judges and serves descriptions is
// measured on them. A model, and named so in every file: only what the source shows is the platform's.
import { join } from 'node:path';
import { COMMERCE_TERMS } from '../../src/contract/shipped.ts';
import { writeWhole } from '../../src/disk/whole-file.ts';
import type { JsonObject } from '../../src/platform/json.ts';
import { Components } from './components.ts';
import { Draw } from './draw.ts';
import { type Form, OPENAPI_30, OPENAPI_31 } from './form.ts';
import { parameterOf } from './names.ts';
import { keyOf, type Planned } from './planned.ts';
import { ADMIN, AI, type Plot, STORE } from './plots.ts';
import { operationsOf as grown } from './resource-operations.ts';
import { operationsOf as written } from './rows.ts';
import { documentOf, underPrefix } from './service.ts';
import { SHARED_SCHEMAS } from './shared-schemas.ts';

const SERVICES: readonly { readonly name: string; readonly form: Form; readonly plots: readonly Plot[] }[] = [
  { name: 'admin', form: OPENAPI_30, plots: ADMIN },
  { name: 'store', form: OPENAPI_31, plots: STORE },
  { name: 'ai', form: OPENAPI_30, plots: AI },
];

/** Service → OpenAPI document. The same seed gives the same documents, member by member. */
export function scaleModel(seed: number): ReadonlyMap<string, JsonObject> {
  return new Map(
    SERVICES.map(({ name, form, plots }) => {
      const components = new Components(form, new Draw(seed), SHARED_SCHEMAS);
      const operations = operationsOf(plots, COMMERCE_TERMS.services[name]?.operations ?? 0, components);
      return [name, documentOf({ name, seed, operations, components })] as const;
    }),
  );
}

/** The operations that are written out, and as many more as make `total`. */
function operationsOf(plots: readonly Plot[], total: number, components: Components): readonly Planned[] {
  const lines = plots.map(({ tag, rows }) => written(tag, rows, components));
  const taken = new Set(lines.flat().map(keyOf));
  const weights = plots.map(({ weight }) => weight);
  const shares = allotted(total - taken.size, weights);
  return plots.flatMap((plot, at) => [...(lines[at] ?? []), ...growth(plot, shares[at] ?? 0, taken, components)]);
}

/** So many of the resource's operations that are not taken yet; they are then. */
function growth({ tag, path, theme }: Plot, count: number, taken: Set<string>, components: Components): Planned[] {
  const found: Planned[] = [];
  if (path === null) return found;
  for (const one of grown({ tag, path: underPrefix(withParent(path)), theme }, components)) {
    if (found.length === count) break;
    if (taken.has(keyOf(one))) continue;
    taken.add(keyOf(one));
    found.push(one);
  }
  return found;
}

/** "/products/{parent}/images" → "/products/{productId}/images". */
function withParent(path: string): string {
  return path.replace(/\/([^/]+)\/\{parent\}/, (_, parent: string) => `/${parent}/{${parameterOf(parent)}}`);
}

/** Whole shares of the total by weight; what rounding leaves goes to the first ones. */
function allotted(total: number, weights: readonly number[]): readonly number[] {
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const shares = weights.map((weight) => Math.floor((total * weight) / all));
  let left = total - shares.reduce((sum, share) => sum + share, 0);
  return shares.map((share, at) => {
    if (left === 0 || weights[at] === 0) return share;
    left -= 1;
    return share + 1;
  });
}

/** Writes the three descriptions into the folder, which is made where it is missing; resolves with their paths. */
export async function writeScaleModel(folder: string, seed: number): Promise<readonly string[]> {
  const documents = [...scaleModel(seed)];
  const write = async ([service, document]: (typeof documents)[number]): Promise<string> => {
    const file = join(folder, `${service}.scale-model.openapi.json`);
    await writeWhole(file, `${JSON.stringify(document, null, 2)}\n`);
    return file;
  };
  return Promise.all(documents.map(write));
}
