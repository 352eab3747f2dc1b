// Two clauses that the contract does not have: one judged on every answer, one on the description.
import { breached, holds, type OwnDescriptionCheck, type OwnExchangeCheck } from 'assay';

/** What is answered to one account is not to be kept by a cache that others share. */
export const cacheControl: OwnExchangeCheck = {
  clause: 'X-CACHE-01',
  level: 'must',
  text: 'A successful answer to a request with a key says `Cache-Control: private` or `no-store`.',
  applies({ exchange: { plan, response } }) {
    return plan.credential.kind === 'key' && response !== null && response.status < 300;
  },
  judge({ exchange: { response } }) {
    const stated = response?.headers.find(([name]) => name === 'cache-control')?.[1] ?? '';
    if (/\b(private|no-store)\b/i.test(stated)) return holds();
    return breached([
      {
        weight: 'breach',
        code: 'shared-cache',
        cause: 'an answer to one account may be kept by shared caches',
        message: `Cache-Control is ${stated === '' ? 'absent' : `"${stated}"`}, expected private or no-store`,
        expected: 'private or no-store',
        actual: stated === '' ? 'absent' : stated,
      },
    ]);
  },
};

/** Generated clients name their functions so. */
export const operationIds: OwnDescriptionCheck = {
  clause: 'X-NAMES-01',
  level: 'should',
  text: 'Every operation has an operationId in camel case.',
  judgeDescription({ operations }) {
    return operations.map(({ key, operationId, pointer }) => {
      const stated = operationId ?? 'none';
      const breach = {
        weight: 'breach' as const,
        cause: 'operationId is not in camel case',
        message: `operationId is ${stated}, expected one such as listThings`,
        expected: 'a name in camel case',
        actual: stated,
        pointer,
      };
      const isCamelCase = operationId !== null && /^[a-z][A-Za-z0-9]*$/.test(operationId);
      return { operation: key, judgement: isCamelCase ? holds() : breached([breach]) };
    });
  },
};
