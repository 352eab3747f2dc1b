// How a contract's terms bind the IDEM and COND clauses.
import { USUAL_KEY_HEADER } from '../customs.ts';
import type { Binding, Bindings, IdempotencyTerms, Terms } from '../terms.ts';
import { refusedWith } from './err.ts';

export const IDEM_BINDINGS: Bindings = {
  'IDEM-01': onKeys(
    (header) =>
      `The same ${header} and request again → the original response: status and body equal, where the first answer was 2xx; also after 50 and more other calls of any kind in between.`,
  ),
  'IDEM-02': onKeys((header) => `The effect happens once: after n sends with one ${header}, one resource more exists.`),
  'IDEM-03': onKeys(
    (header) =>
      `The same ${header} sent concurrently → at most one effect; each answer is the original or a 4xx (409 and the like), never 5xx.`,
  ),
  'IDEM-04': onKeys((header) => `Different values of ${header} (and none) → separate effects.`),
  'IDEM-05': {
    isBound: ({ idempotency }) => idempotency !== null && idempotency.never.length > 0,
    by: 'idempotency.never',
    text: ({ idempotency }) =>
      `${named(idempotency?.never ?? [])} is never executed twice for one ${headerOf(idempotency)}: the same result whenever, and however often, and after however many other calls in between, it is resent.`,
  },
  'IDEM-06': {
    isBound: ({ idempotency }) => idempotency?.elsewhere != null,
    by: 'idempotency.elsewhere',
    text: ({ idempotency }) =>
      idempotency?.elsewhere === 'refused'
        ? `Other mutating operations refuse ${headerOf(idempotency)} with a 4xx.`
        : `Other mutating operations accept ${headerOf(idempotency)} silently: it never turns a success into an error.`,
  },
  'IDEM-08': {
    isBound: ({ idempotency }) => idempotency?.otherBody != null && idempotency.operations.length > 0,
    by: 'idempotency.otherBody',
    text: ({ idempotency, errors }) =>
      `The same ${headerOf(idempotency)} with another body is refused with ${refusedWith(idempotency?.otherBody ?? null, errors)}, and has no effect.`,
    isOfTermsAlone: true,
  },
  'COND-01': onTags(
    (operations) =>
      `A write of ${operations} with an \`If-Match\` that names a former state is refused with 412 and changes nothing; with the present one it succeeds.`,
  ),
  'COND-02': onTags(
    (operations) =>
      `A read of ${operations} with an \`If-None-Match\` that names the present state is answered 304 without a body, with the same ETag; after a change 200.`,
  ),
  'COND-03': onTags(
    (operations) =>
      `Two states that ${operations} show and that differ never have the same strong ETag; the same state read twice has the same.`,
  ),
};

function onTags(text: (operations: string) => string): Binding {
  return {
    isBound: ({ conditional }: Terms) => conditional.length > 0,
    by: 'conditional.operations',
    text: ({ conditional }: Terms) => text(named(conditional)),
    isOfTermsAlone: true,
  };
}

function onKeys(text: (header: string) => string): Binding {
  return {
    isBound: ({ idempotency }: Terms) => idempotency !== null && idempotency.operations.length > 0,
    by: 'idempotency.operations',
    text: ({ idempotency }: Terms) => text(headerOf(idempotency)),
  };
}

function headerOf(terms: IdempotencyTerms | null): string {
  return terms?.header ?? USUAL_KEY_HEADER;
}

function named(globs: readonly string[]): string {
  return globs.map((glob) => `\`${glob}\``).join(', ');
}
