// SPEC-05 (must): All paths are under the prefix that the contract states (its liveness check excepted); none is
//   internal. Tolerance: Taking `servers[].url` into account.
import { breached } from '../../contract/judgement.ts';
import { operationMatcher } from '../../contract/operation-glob.ts';
import type { Terms } from '../../contract/terms.ts';
import { asArray, asObject, valueAt } from '../../openapi/json.ts';
import type { Description, Operation } from '../../openapi/model/operation.ts';
import { basePath } from '../../openapi/model/servers.ts';
import { operationCheck } from './operation-check.ts';

export const spec05 = operationCheck({
  clause: 'SPEC-05',
  title: 'The path is under the prefix of the contract',
  judge(operation, description, { terms }) {
    const prefix = terms.versions.prefix ?? '';
    const live = pathOf(terms.health?.operation ?? '');
    const path = [operation.path, ...pathsElsewhere(operation, description)].find((one) => !isInPlace(one, terms));
    if (path === undefined) return breached([]);
    const [code, cause] = isInternal(path, terms)
      ? ['spec-05.internal-path', 'an internal path is described']
      : ['spec-05.outside-prefix', `a path is not under ${prefix}`];
    const expected = `a path under ${prefix}${live === '' ? '' : `, or ${live}`}`;
    const message = `the path is ${path}, expected ${expected}`;
    const { pointer } = operation;
    return breached([{ weight: 'breach', code, cause, message, expected, actual: path, pointer }]);
  },
});

function isInPlace(path: string, terms: Terms): boolean {
  if (terms.health !== null && path === pathOf(terms.health.operation)) return true;
  const prefix = terms.versions.prefix ?? '';
  return (path === prefix || path.startsWith(`${prefix}/`)) && !isInternal(path, terms);
}

function isInternal(path: string, { internal }: Terms): boolean {
  return internal.length > 0 && operationMatcher(internal)(`GET ${path}`);
}

/** The path of an operation key. */
function pathOf(operation: string): string {
  return operation.slice(operation.indexOf(' ') + 1);
}

/** The operation's path on the servers that are listed behind the first. */
function pathsElsewhere({ pointer }: Operation, { document }: Description): readonly string[] {
  const [place, template = ''] = /^\/paths\/([^/]+)\//.exec(pointer) ?? [];
  if (place === undefined) return [];
  const item = asObject(valueAt(document, place.slice(0, -1)));
  const servers = asObject(valueAt(document, pointer)).servers ?? item.servers ?? asObject(document).servers;
  const path = template.replaceAll('~1', '/').replaceAll('~0', '~');
  return asArray(servers)
    .slice(1)
    .map((server) => basePath([server]) + path);
}
