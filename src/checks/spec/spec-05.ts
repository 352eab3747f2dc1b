// SPEC-05 (must): All paths are under `/api/v1` (the health path `/api/health/live` excepted); none is under
//   `/api/internal/`. Tolerance: Taking `servers[].url` into account.
import { breached } from '../../contract/judgement.ts';
import { HEALTH_PATH, INTERNAL_PREFIX, PATH_PREFIX } from '../../contract/platform.ts';
import { operationCheck } from './operation-check.ts';

export const spec05 = operationCheck({
  clause: 'SPEC-05',
  title: 'The path is under /api/v1',
  judge({ path, pointer }) {
    if (path === HEALTH_PATH || path === PATH_PREFIX || path.startsWith(`${PATH_PREFIX}/`)) return breached([]);
    const [code, cause] = path.startsWith(INTERNAL_PREFIX)
      ? ['spec-05.internal-path', 'an internal path is described']
      : ['spec-05.outside-prefix', 'a path is not under /api/v1'];
    const expected = `a path under ${PATH_PREFIX}, or ${HEALTH_PATH}`;
    const message = `the path is ${path}, expected ${expected}`;
    return breached([{ weight: 'breach', code, cause, message, expected, actual: path, pointer }]);
  },
});
