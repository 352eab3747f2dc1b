// The cache of descriptions that the environment names.

import { cacheFolder, type Env } from '../../config/cache-folder.ts';
import { VERSION } from '../../contract/package-root.ts';
import { DescriptionCache } from '../../openapi/cache/cache.ts';

/** Undefined where nothing is kept. */
export function descriptionCache(env: Env): DescriptionCache | undefined {
  const folder = cacheFolder(env, process.platform);
  return folder === null ? undefined : new DescriptionCache(folder, VERSION);
}
