// The descriptions that the platform serves unless it is given others: the Admin description of specs/, extended by the
// reference platform's own model, and models of its own for Store and AI.
import { access, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { asArray, asObject, isObject, type JsonObject } from '../json.ts';
import { documentOf, readDocument, type ServedDocument } from './served.ts';

const SERVICES = ['admin', 'store', 'ai'];
const OWN = join(import.meta.dirname, '..', 'descriptions');

/**
 * The documents that are served: those of `files` (by service), in place of the platform's own or of the folder's.
 * Rejects for a folder without descriptions, and for a file that is none.
 */
export async function readModel(
  files: Readonly<Record<string, string>>,
  folder: string | null = null,
): Promise<ServedDocument[]> {
  const given = folder === null ? files : { ...(await descriptionsIn(folder)), ...files };
  const services = folder === null ? SERVICES : SERVICES.filter((service) => given[service] !== undefined);
  return Promise.all(
    services.map((service) => (given[service] === undefined ? own(service) : readDocument(service, given[service]))),
  );
}

/** The folder's description files by service, which begins their names: admin.openapi.yaml, store.json. */
async function descriptionsIn(folder: string): Promise<Readonly<Record<string, string>>> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${folder}: no folder that can be read (${error.code})`);
  });
  const found: Record<string, string> = {};
  for (const service of SERVICES) {
    const own = names.filter((name) => name.startsWith(`${service}.`) && /\.(json|ya?ml)$/.test(name));
    if (own.length > 1) throw new Error(`${folder}: ${own.sort().join(' and ')} both describe ${service}; leave one`);
    if (own[0] !== undefined) found[service] = join(folder, own[0]);
  }
  if (Object.keys(found).length > 0) return found;
  throw new Error(
    `${folder}: no description named after a service (${SERVICES.join(', ')}), such as admin.openapi.json`,
  );
}

async function own(service: string): Promise<ServedDocument> {
  if (service !== 'admin') return readDocument(service, join(OWN, `${service}.openapi.yaml`));
  const shown = await readDocument(service, await specification('admin.openapi.yaml'));
  const added = await readDocument(service, join(OWN, 'admin.additions.yaml'));
  return documentOf(service, extended(shown.root, added.root));
}

/** specs/ stands at the root of the package, however deep the compiled files are. */
async function specification(name: string): Promise<string> {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, 'specs', name);
    const found = await access(file).then(
      () => true,
      () => false,
    );
    if (found) return file;
  }
  throw new Error(`specs/${name} is missing from the package: install it again`);
}

/** Objects are merged member by member, arrays joined; otherwise the addition wins. `x-replace` replaces an object whole. */
export function extended(base: JsonObject, addition: JsonObject): JsonObject {
  const result: JsonObject = { ...base };
  for (const [name, value] of Object.entries(addition)) {
    const before = result[name];
    if (isObject(value) && value['x-replace'] === true) {
      const { 'x-replace': _mark, ...whole } = value;
      result[name] = whole;
    } else if (isObject(before) && isObject(value)) result[name] = extended(asObject(before), value);
    else if (Array.isArray(before) && Array.isArray(value)) result[name] = [...asArray(before), ...value];
    else result[name] = value;
  }
  return result;
}
