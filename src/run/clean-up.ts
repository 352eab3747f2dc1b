// What this run created is deleted again, newest first, where the description offers a DELETE; the rest is listed.
import type { Exchange, RequestPlan } from '../exchange/exchange.ts';
import type { Catalogue, Described } from '../openapi/catalogue.ts';
import { makesByName } from '../probes/chains.ts';
import { createdId } from '../probes/depth.ts';
import { remove } from '../probes/destroy.ts';
import type { Knowledge } from '../probes/knowledge.ts';
import { sentId } from '../probes/noting.ts';
import { parameterNames } from '../probes/path-values.ts';
import type { Experiment } from '../probes/probe.ts';
import { decodeSegment, encodeSegment, firstRecipe } from '../probes/recipe.ts';
import { drawFor, ordinaryCredential, type World } from '../probes/world.ts';
import type { Session } from './session.ts';

interface Creation {
  /** Concrete path of the collection. */
  readonly collection: string;
  readonly id: string | null;
  /** Whether the answer said that something was created (201). */
  readonly stated: boolean;
  /** Whether this run answers for what created it, or another shard. */
  readonly ours: boolean;
}

export class Creations {
  readonly #knowledge: Knowledge;
  readonly #catalogue: Catalogue;
  readonly #made: Creation[] = [];
  readonly #gone = new Set<string>();

  constructor(knowledge: Knowledge, catalogue: Catalogue) {
    this.#knowledge = knowledge;
    this.#catalogue = catalogue;
  }

  /** What stays if nothing more is deleted, a line each. */
  lines(): readonly string[] {
    return this.left()
      .filter(({ stated }) => stated)
      .map(lineOf);
  }

  /** Notes what an answer created or deleted, whoever asked for it. */
  observe(exchange: Exchange): void {
    const { plan, response } = exchange;
    if (response === null || response.status >= 300 || plan.operation === null) return;
    const ours = plan.elsewhere === undefined;
    if (response.status === 201 && this.#makesByName(plan)) this.#noteNamed(plan.path, ours);
    else if (plan.method === 'POST') {
      const stated = response.status === 201;
      const address = addressIn(this.#catalogue, plan.path);
      const id = createdId(exchange, address, plan.path) ?? (stated ? sentId(exchange, address, plan.path) : null);
      const known = !stated && id !== null && this.#knowledge.isListed(plan.path, id);
      if ((stated || id !== null) && !known) this.#made.push({ collection: plan.path, id, stated, ours });
    }
    if (plan.method === 'DELETE') this.#gone.add(plan.path.replace(/\/$/, ''));
  }

  #makesByName({ method, operation, service }: RequestPlan): boolean {
    const described = operation === null ? null : this.#catalogue.operation(operation, service);
    return method === 'PUT' || (described !== null && makesByName(described.operation, described.description));
  }

  #noteNamed(path: string, ours: boolean): void {
    const cut = path.lastIndexOf('/');
    const id = decodeSegment(path.slice(cut + 1));
    this.#made.push({ collection: path.slice(0, cut), id, stated: true, ours });
  }

  /** Newest first, without what is gone already and without repetitions (an idempotent replay shows an id twice). */
  left(): readonly Creation[] {
    const seen = new Set<string>();
    return this.#made.toReversed().filter(({ collection, id }) => {
      const path = pathOf({ collection, id });
      if (this.#gone.has(path) || (id !== null && seen.has(path))) return false;
      seen.add(path);
      return true;
    });
  }
}

function lineOf({ collection, id }: Pick<Creation, 'collection' | 'id'>): string {
  return `POST ${collection}${id === null ? '' : ` → ${id}`}`;
}

/** The concrete path of what was made. */
function pathOf({ collection, id }: Pick<Creation, 'collection' | 'id'>): string {
  return `${collection.replace(/\/$/, '')}/${encodeSegment(id ?? '')}`;
}

/** What the collection's DELETE calls that by which its objects are addressed: "number"; empty where there is none. */
function addressIn(catalogue: Catalogue, collection: string): string {
  const deleter = catalogue.match('DELETE', pathOf({ collection, id: 'x' }));
  return deleter === null ? '' : (parameterNames(deleter.operation.path).at(-1) ?? '');
}

/** What deletes it; null where nothing does. */
function deleterOf(catalogue: Catalogue, creation: Creation): Described | null {
  const path = pathOf(creation);
  return creation.id === null ? null : (catalogue.match('DELETE', path) ?? catalogue.match('DELETE', `${path}/`));
}

/** How many requests it takes to delete what can be deleted. */
export function cleanUpCost(catalogue: Catalogue, creations: Creations): number {
  return creations.left().filter((creation) => deleterOf(catalogue, creation) !== null).length;
}

/** Deletes what can be deleted; returns one line for each object that stays. */
export async function cleanUp(
  session: Session,
  world: World,
  catalogue: Catalogue,
  creations: Creations,
): Promise<readonly string[]> {
  const stays: string[] = [];
  for (const creation of creations.left()) {
    const { collection, id, stated, ours } = creation;
    const path = pathOf(creation);
    const described = deleterOf(catalogue, creation);
    if (described === null) {
      if (stated) stays.push(lineOf({ collection, id }));
      continue;
    }
    const { operation, description } = described;
    const pathValues = valuesOf(operation.path, path);
    const recipe = firstRecipe(
      description,
      operation,
      pathValues,
      ordinaryCredential(world, operation),
      drawFor(world, 'clean'),
    );
    let gone = false;
    const deleter = { operation, description, recipe, proof: null, firstStatus: null };
    const removal: Experiment = {
      probe: 'last/clean-up',
      stage: 'last',
      rank: 0,
      clauses: [],
      service: operation.service,
      operation: operation.key,
      cost: 1,
      repeatable: false,
      run: () =>
        remove(world, deleter, pathValues, (done) => {
          gone = done;
        }),
    };
    await session.perform(removal, ours);
    if (!gone) stays.push(lineOf({ collection, id }));
  }
  return stays;
}

/** Values of the template's parameters in a concrete path of as many segments. */
function valuesOf(template: string, path: string): Readonly<Record<string, string>> {
  const names = parameterNames(template);
  const pattern = new RegExp(
    `^${template.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{[^}]+\}/g, '([^/]+)')}$`,
  );
  const found = pattern.exec(path) ?? [];
  return Object.fromEntries(names.map((name, index) => [name, decodeSegment(found[index + 1] ?? '')]));
}
