// The cache of descriptions that the environment names.
import { VERSION } from '../config/package-root.ts';
import { DescriptionCache } from '../openapi/cache.ts';
import { cacheFolder, type Env } from './cache-folder.ts';

/** Undefined where nothing is kept. */
export function descriptionCache(env: Env): DescriptionCache | undefined {
  const folder = cacheFolder(env, process.platform);
  return folder === null ? undefined : new DescriptionCache(folder, VERSION);
}
