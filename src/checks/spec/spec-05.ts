// SPEC-05 (must): All paths are under `/api/v1` (the health path `/api/health/live` excepted); none is under
//   `/api/internal/`. Tolerance: Taking `servers[].url` into account.
import { breached } from '../../contract/judgement.ts';
import { HEALTH_PATH, INTERNAL_PREFIX, PATH_PREFIX } from '../../contract/platform.ts';
import { asArray, asObject, valueAt } from '../../openapi/json.ts';
import type { Description, Operation } from '../../openapi/model/operation.ts';
import { basePath } from '../../openapi/model/servers.ts';
import { operationCheck } from './operation-check.ts';

export const spec05 = operationCheck({
  clause: 'SPEC-05',
  title: 'The path is under /api/v1',
  judge(operation, description) {
    const path = [operation.path, ...pathsElsewhere(operation, description)].find((one) => !isInPlace(one));
    if (path === undefined) return breached([]);
    const [code, cause] = path.startsWith(INTERNAL_PREFIX)
      ? ['spec-05.internal-path', 'an internal path is described']
      : ['spec-05.outside-prefix', 'a path is not under /api/v1'];
    const expected = `a path under ${PATH_PREFIX}, or ${HEALTH_PATH}`;
    const message = `the path is ${path}, expected ${expected}`;
    const { pointer } = operation;
    return breached([{ weight: 'breach', code, cause, message, expected, actual: path, pointer }]);
  },
});

function isInPlace(path: string): boolean {
  return path === HEALTH_PATH || path === PATH_PREFIX || path.startsWith(`${PATH_PREFIX}/`);
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
