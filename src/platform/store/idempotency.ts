// Idempotency keys: the first success under a key is kept and given again; keys belong to one account and operation.
import type { Answer } from '../http/call.ts';
import { digest } from './hash.ts';

export type Remembered =
  | { readonly kind: 'new' }
  | { readonly kind: 'replay'; readonly answer: Answer }
  | { readonly kind: 'other-request' };

export class Idempotency {
  private readonly kept = new Map<string, { request: string; answer: Answer }>();

  /** What is known of this key; `request` is the text that a resend must repeat. */
  recall(scope: string, key: string, request: string): Remembered {
    const found = this.kept.get(`${scope}\n${key}`);
    if (found === undefined) return { kind: 'new' };
    if (found.request !== digest(request)) return { kind: 'other-request' };
    return { kind: 'replay', answer: { ...found.answer, headers: { ...found.answer.headers } } };
  }

  /** Keeps a success. Errors are not kept: a corrected request may use the key. */
  keep(scope: string, key: string, request: string, answer: Answer): void {
    if (answer.status >= 300) return;
    this.kept.set(`${scope}\n${key}`, {
      request: digest(request),
      answer: { ...answer, headers: { ...answer.headers } },
    });
  }
}
