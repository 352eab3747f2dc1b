// Node keeps what it compiled, so that the next start need not: a third of the time of a short command. Imported first and
// alone: what is imported before is compiled anew each time.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { cacheFolder, type Env } from '../../config/cache-folder.ts';
import { ownFolder } from '../../openapi/cache/own-folder.ts';

/** From here on, where the cache is on. Code is only taken from a folder that nobody else can write to. */
export async function keepCompiledCode(env: Env): Promise<void> {
  const folder = cacheFolder(env, process.platform);
  if (folder !== null && (await ownFolder(join(folder, 'code')))) enableCompileCache(join(folder, 'code'));
}
