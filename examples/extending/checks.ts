// Two clauses that the contract does not have: one judged on every answer, one on the description.
import { breach, breached, header, holds, type OwnDescriptionCheck, type OwnExchangeCheck } from 'assay';

/** What is answered to one account is not to be kept by a cache that others share. */
export const cacheControl: OwnExchangeCheck = {
  clause: 'X-CACHE-01',
  level: 'must',
  text: 'A successful answer to a request with a key says `Cache-Control: private` or `no-store`.',
  applies({ exchange: { plan, response } }) {
    return plan.credential.kind === 'key' && response !== null && response.status < 300;
  },
  judge({ exchange }) {
    const stated = header(exchange, 'cache-control') ?? 'absent';
    if (/\b(private|no-store)\b/i.test(stated)) return holds();
    return breached([
      breach('shared-cache', { subject: 'Cache-Control', actual: stated, expected: 'private or no-store' }),
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
      const isCamelCase = operationId !== null && /^[a-z][A-Za-z0-9]*$/.test(operationId);
      if (isCamelCase) return { operation: key, judgement: holds() };
      const seen = { subject: 'operationId', actual: operationId ?? 'absent', expected: 'a name in camel case' };
      return { operation: key, judgement: breached([breach('no-camel-case', seen, pointer)]) };
    });
  },
};
