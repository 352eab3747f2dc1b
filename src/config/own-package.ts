// `import … from 'assay'` in a configuration, or in what it brings: this very program, wherever it is installed. With
// npx, in a container, or in the repository no package of that name lies beside the configuration.
import { registerHooks } from 'node:module';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const INDEX = pathToFileURL(join(import.meta.dirname, '..', `index${extname(import.meta.filename)}`)).href;
let isKnown = false;

/** The module at this address, which may import this program by its name. Rejects as `import` does. */
export async function importOwn(url: string): Promise<Readonly<Record<string, unknown>>> {
  if (!isKnown) {
    isKnown = true;
    registerHooks({
      resolve: (specifier, context, next) =>
        specifier === 'assay' ? { url: INDEX, shortCircuit: true } : next(specifier, context),
    });
  }
  return import(url);
}
