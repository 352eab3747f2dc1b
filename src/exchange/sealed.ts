// The last door before a report: nothing that is told holds eight characters in a row of a secret, wherever it came from.
import type { Pieces } from '../clock/pieces.ts';
import type { Redactor } from './secrets/known-secrets.ts';

/**
 * Texts that Assay fills in by itself, from the configuration and the descriptions: programs and other runs find things by
 * them. Any other text may come from the target, in a member that is added tomorrow, too.
 */
const OWN: ReadonlySet<string> = new Set(
  [
    'id clause kind level status verdict reasonCode text fingerprint confidence decision algorithm startedAt sentAt',
    'service operation resource key plan account name environment baseUrl docsUrl probe credential suite lane step',
    'config scope settings digest file traceId',
  ].flatMap((names) => names.split(' ')),
);

/** The list that Assay fills in by itself: trace ids are drawn, and may hold by chance what a secret holds. */
const OWN_LIST = 'traceIds';

/** The same without secrets, member by member; the same object where it holds none. Not for data of any depth. */
export function sealed<T>(told: T, redactor: Pick<Redactor, 'conceal'>): T {
  return sealedValue(told, redactor) as T;
}

/** The same of an object with long lists, an item of them at a time. */
export function* sealInPieces<T extends object>(told: T, redactor: Pick<Redactor, 'conceal'>): Pieces<T> {
  const clean: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(told)) {
    if (!Array.isArray(member)) Object.assign(clean, sealed({ [name]: member }, redactor));
    else {
      const items: unknown[] = [];
      for (const item of member) {
        items.push(sealed(item, redactor));
        yield;
      }
      clean[name] = items;
    }
  }
  return clean as T;
}

function sealedValue(value: unknown, redactor: Pick<Redactor, 'conceal'>): unknown {
  if (typeof value === 'string') return redactor.conceal(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => sealedValue(item, redactor));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const changed: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const isOwn = typeof member === 'string' ? OWN.has(name) : name === OWN_LIST;
    const clean = isOwn ? member : sealedValue(member, redactor);
    if (clean !== member) changed[name] = clean;
  }
  return Object.keys(changed).length === 0 ? value : { ...value, ...changed };
}
