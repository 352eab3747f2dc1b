// Where this package lies, in the repository (src/) and installed (dist/) alike: what is shipped beside the code
// (descriptions, package.json) is found from here.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of the package.json nearest above this file. */
export const PACKAGE_ROOT = nearestPackage(import.meta.dirname);

/** The version that package.json states. */
export const VERSION: string = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8')).version;

function nearestPackage(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('package.json of assay not found: the installation is incomplete');
  return nearestPackage(parent);
}
