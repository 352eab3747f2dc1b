// An operation of the scale model before it is written in OpenAPI's words.
import type { JsonObject } from '../../src/platform/json.ts';

export type Kind = 'list' | 'create' | 'read' | 'change' | 'delete' | 'action' | 'report';

export interface Planned {
  /** The resource that the source counts. */
  readonly tag: string;
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** "/api/v1/products/{productId}". */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly kind: Kind;
  readonly isPublic?: boolean;
  /** Query and header parameters; those of the path follow from it. */
  readonly parameters?: readonly JsonObject[];
  /** Schema of the JSON body; absent: none. */
  readonly body?: JsonObject;
  /** Schema of the success; null: no body. */
  readonly answer: JsonObject | null;
  /** Statuses that the operation declares whatever the proportions, with their descriptions. */
  readonly declares?: Readonly<Record<string, string>>;
  /** Headers of the success. */
  readonly headers?: JsonObject;
}

/** Method and path, parameters nameless: what no two operations share. */
export function keyOf({ method, path }: Planned): string {
  return `${method} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`;
}
