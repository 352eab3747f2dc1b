// The reference platform's own descriptions with fewer operations: every kind is kept, so that every fault finds its
// subject, and a run takes seconds.
import { readModel } from '../src/platform/schema/model.ts';
import { documentOf, type ServedDocument } from '../src/platform/schema/served.ts';

const KEPT: Readonly<Record<string, readonly string[]>> = {
  admin: [
    '/api/v1/stores',
    '/api/v1/stores/process-payment',
    '/api/v1/stores/{storeId}',
    '/api/v1/stores/{storeId}/domains/connect',
    '/api/v1/stores/{storeId}/domains/notifications',
    '/api/v1/auth/register',
    '/api/v1/auth/activity/logs',
    '/api/v1/auth/activity/export',
    '/api/v1/themes',
    '/api/v1/taxes/hs-codes',
    '/api/v1/taxes/currencies',
    '/api/health/live',
  ],
  store: [
    '/customers',
    '/customers/{customerId}',
    '/products',
    '/products/{productId}',
    '/inventory/{sku}',
    '/inventory',
  ],
  ai: ['/api/v1/ai/agents', '/api/v1/ai/agents/{agentId}'],
};

/** Made once: all cases of a file serve the same, and what is compiled to judge by it is compiled once. */
let reduced: Promise<readonly ServedDocument[]> | undefined;

/** The documents, in the platform's order; frozen. */
export function reducedDocuments(): Promise<readonly ServedDocument[]> {
  reduced ??= readModel({}).then((documents) =>
    documents.map(({ service, root }) => {
      const kept = Object.entries(Object(root.paths)).filter(([path]) => KEPT[service]?.includes(path));
      return documentOf(service, frozen({ ...root, paths: Object.fromEntries(kept) }));
    }),
  );
  return reduced;
}

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) frozen(member);
  return value;
}
