// References and compositions that come back to where they started: no value can be judged by such a schema.
import { asArray, isObject, type JsonObject, pointerOfFragment, valueAt } from '../json.ts';
import { type Located, member, type References } from '../read/references.ts';

/** Those of these objects whose $ref, followed on and on, leads back to them. Linear in the length of all chains. */
export function referenceCircles(holders: readonly JsonObject[], document: JsonObject): Set<JsonObject> {
  const circular = new Set<JsonObject>();
  const settled = new Set<unknown>();
  for (const start of holders) {
    const chain = new Set<JsonObject>();
    let at: unknown = start;
    while (isObject(at) && typeof at.$ref === 'string' && !settled.has(at) && !chain.has(at)) {
      chain.add(at);
      at = at.$ref.startsWith('#') ? valueAt(document, pointerOfFragment(at.$ref.slice(1))) : undefined;
    }
    const links = [...chain];
    for (const link of isObject(at) && chain.has(at) ? links.slice(links.indexOf(at)) : []) circular.add(link);
    for (const link of links) settled.add(link);
  }
  return circular;
}

interface Step {
  readonly at: Located;
  readonly parts: Located[];
}

/** Where schemas are, by allOf and $ref, a part of themselves: one place a circle. No recursion: chains may be of any length. */
export function compositionCircles(schemas: readonly Located[], references: References): Located[] {
  const open = new Set<unknown>();
  const done = new Set<unknown>();
  const circles: Located[] = [];
  const path: Step[] = [];
  const enter = (at: Located): void => {
    if (!isObject(at.value) || done.has(at.value)) return;
    if (open.has(at.value)) return void circles.push(at);
    open.add(at.value);
    path.push({ at, parts: partsOf(at, references) });
  };
  for (const schema of schemas) {
    enter(schema);
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const next = step.parts.pop();
      if (next !== undefined) enter(next);
      else {
        path.pop();
        open.delete(step.at.value);
        done.add(step.at.value);
      }
    }
  }
  return circles;
}

function partsOf(at: Located, references: References): Located[] {
  const { $ref, allOf } = at.value as JsonObject;
  const target = typeof $ref === 'string' ? references.target($ref) : null;
  if (target !== null && references.dialect === '3.0') return [target];
  return [...(target === null ? [] : [target]), ...asArray(allOf).map((_, index) => member(at, 'allOf', index))];
}
