// The operations that the source shows, and what it says of their parameters and bodies. Source: Endpoints table.
import {
  EXPORT_OPERATION,
  HEALTH_PATH,
  IDEMPOTENT_OPERATIONS,
  PATH_PREFIX,
  REGISTER_OPERATION,
} from '../../contract/platform.ts';
import type { Description, Operation } from '../../openapi/model/operation.ts';

export interface DocumentedOperation {
  /** Operation key; the names of its path parameters do not matter. */
  readonly key: string;
  /** Query parameters; `any` where the source shows no type. */
  readonly query: Readonly<Record<string, 'string' | 'number' | 'any'>>;
  /** Whether the request has a JSON body; `optional` where the source leaves open that there is one. */
  readonly body: 'none' | 'json' | 'optional';
  /** Members of the body that are required strings. */
  readonly requiredStrings: readonly string[];
}

function documented(key: string, more: Partial<DocumentedOperation> = {}): DocumentedOperation {
  return { key, query: {}, body: 'none', requiredStrings: [], ...more };
}

function listed(path: string, query: DocumentedOperation['query']): DocumentedOperation {
  return documented(`GET ${PATH_PREFIX}${path}`, { query });
}

const SLICED = { limit: 'string', offset: 'string' } as const;
const PAGED = { limit: 'number', page: 'number' } as const;
const LIMITED = { limit: 'any' } as const;

export const DOCUMENTED_OPERATIONS: readonly DocumentedOperation[] = [
  listed('/stores', {}),
  ...IDEMPOTENT_OPERATIONS.map((key) => documented(key, { body: 'json' })),
  documented(REGISTER_OPERATION, { body: 'json', requiredStrings: ['email', 'password'] }),
  listed('/auth/activity/logs', PAGED),
  documented(EXPORT_OPERATION, { body: 'optional' }),
  listed('/stores/{storeId}/domains/notifications', SLICED),
  listed('/stores/{storeId}/email-forwards/{forwardId}/logs', SLICED),
  listed('/taxes/currencies', PAGED),
  listed('/themes', PAGED),
  listed('/taxes/hs-codes', LIMITED),
  listed('/taxes/rates/sync-history', LIMITED),
  documented(`GET ${HEALTH_PATH}`),
];

/** The described operation that a documented one is, whatever its path parameters are called; undefined when it is lacking. */
export function describedAs(documented: DocumentedOperation, description: Description): Operation | undefined {
  const wanted = unnamed(documented.key);
  return description.operations.find(({ key }) => unnamed(key) === wanted);
}

function unnamed(key: string): string {
  return key.replaceAll(/\{[^}]*\}/g, '{}');
}
