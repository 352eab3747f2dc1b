// Reads the RateLimit fields of the IETF's draft, in each form that servers send: the newest (`"burst";r=50;t=30`), draft 7
// (`limit=100, remaining=50, reset=30`), and the separate fields before it (`RateLimit-Remaining: 50`). Pure.
// Source: draft-ietf-httpapi-ratelimit-headers-10, -07 and -06; RFC 9651.
import { type Item, type List, parseDictionary, parseList, Token } from 'structured-headers';
import { headers as valuesOf } from '../exchange/body.ts';
import type { HeaderList } from '../exchange/exchange.ts';

/** Which revision of the draft the fields follow. */
export type Draft = 'newest' | 'draft 7' | 'separate fields';

/** One entry of RateLimit-Policy. Before the newest draft an entry has no name, and its quota is its value. */
export interface Policy {
  readonly name: string | null;
  /** null: not told, or no whole number from 0 on. */
  readonly quota: number | null;
  readonly windowSeconds: number | null;
  /** Unit that is counted; null: requests. */
  readonly unit: string | null;
  /** Who shares it: a partition key, as base64. */
  readonly partition: string | null;
}

/** One entry of RateLimit. */
export interface ServiceLimit {
  readonly name: string | null;
  readonly partition: string | null;
  /** The ceiling; null in the newest draft, whose policies tell it. */
  readonly limit: number | null;
  readonly remaining: number | null;
  readonly resetSeconds: number | null;
}

/** Something that is not as the draft has it: in which field, and what. */
export interface Flaw {
  readonly field: string;
  readonly text: string;
  readonly lack: string;
}

export interface IetfFields {
  /** null: no answer's fields tell it. */
  readonly draft: Draft | null;
  readonly policies: readonly Policy[];
  readonly limits: readonly ServiceLimit[];
  readonly flaws: readonly Flaw[];
}

export const POLICY_FIELD = 'RateLimit-Policy';
export const LIMIT_FIELD = 'RateLimit';
/** The three fields that the drafts before the seventh have in place of RateLimit. */
export const SEPARATE_FIELDS = {
  limit: 'RateLimit-Limit',
  remaining: 'RateLimit-Remaining',
  reset: 'RateLimit-Reset',
} as const;

const NAMES_OF_DRAFT_7: readonly string[] = ['limit', 'remaining', 'reset'];

const read = new WeakMap<HeaderList, IetfFields>();

/** All that the fields of an answer say. Several laws and the pace of the run ask: it is read once. */
export function ietfFieldsOf(headers: HeaderList): IetfFields {
  const fields = read.get(headers) ?? fieldsIn(headers);
  read.set(headers, fields);
  return fields;
}

function fieldsIn(headers: HeaderList): IetfFields {
  const limits = limitsIn(headers);
  const text = fieldValue(headers, POLICY_FIELD);
  const list = text === null ? [] : parsed(parseList, text);
  if (list === null) return { ...limits, policies: [], flaws: [...limits.flaws, unparsed(POLICY_FIELD, text ?? '')] };
  const policies = list.map(policyIn);
  const flaws = policies.flatMap((policy) =>
    flawOf(policy, limits.draft).map((lack) => flaw(POLICY_FIELD, text, lack)),
  );
  const draft = limits.draft ?? (policies.some(({ name }) => name !== null) ? 'newest' : null);
  return { draft, limits: limits.limits, policies, flaws: [...limits.flaws, ...flaws] };
}

/** Entries of a List of whole numbers with parameters: "100;w=60, 1000;w=3600". Empty for any other text. */
export function unnamedPolicies(text: string): readonly Policy[] {
  const policies = (parsed(parseList, text) ?? []).map(policyIn);
  return policies.every(({ name, quota }) => name === null && quota !== null) ? policies : [];
}

/** The policy that the entry speaks of; null where none is stated that it names. */
export function policyOf({ name, partition, limit }: ServiceLimit, policies: readonly Policy[]): Policy | null {
  const isOwn = (one: Policy): boolean =>
    name === null
      ? one.name === null && one.quota === limit
      : one.name === name && (one.partition === null || partition === null || one.partition === partition);
  return policies.find(isOwn) ?? null;
}

type Limits = Omit<IetfFields, 'policies'>;

function limitsIn(headers: HeaderList): Limits {
  const text = fieldValue(headers, LIMIT_FIELD);
  if (text === null) return separateLimits(headers);
  // A list of names begins with a quote: to find out by an error that it is no dictionary is dear.
  const dictionary = /^\s*[a-z*]/.test(text) ? parsed(parseDictionary, text) : null;
  if (dictionary !== null && NAMES_OF_DRAFT_7.some((name) => dictionary.has(name))) {
    const [limit, remaining, resetSeconds] = NAMES_OF_DRAFT_7.map((name) => wholeNumber(dictionary.get(name)?.[0]));
    const lacking = NAMES_OF_DRAFT_7.filter((name) => wholeNumber(dictionary.get(name)?.[0]) === null);
    const told = { limit: limit ?? null, remaining: remaining ?? null, resetSeconds: resetSeconds ?? null };
    const flaws = lacking.map((name) => flaw(LIMIT_FIELD, text, `${name} is no whole number`));
    return { draft: 'draft 7', limits: [{ name: null, partition: null, ...told }], flaws };
  }
  const list = parsed(parseList, text);
  if (list === null) return { draft: null, limits: [], flaws: [unparsed(LIMIT_FIELD, text)] };
  const limits = list.map(limitOf);
  const flaws = limits.flatMap(({ name, remaining }) => [
    ...(name === null ? [flaw(LIMIT_FIELD, text, 'an entry has no name')] : []),
    ...(remaining === null ? [flaw(LIMIT_FIELD, text, 'r is no whole number')] : []),
  ]);
  return { draft: 'newest', limits, flaws };
}

/** The drafts that have them state them as single numbers; RateLimit-Limit may list policies after its own. */
function separateLimits(headers: HeaderList): Limits {
  const texts = Object.values(SEPARATE_FIELDS).map((name) => [name, fieldValue(headers, name)] as const);
  if (texts.every(([, text]) => text === null)) return { draft: null, limits: [], flaws: [] };
  const [limit = null, remaining = null, resetSeconds = null] = texts.map(([, text]) => {
    const [first] = text === null ? [] : (parsed(parseList, text) ?? []);
    return wholeNumber(first?.[0]);
  });
  const flaws = texts.flatMap(([name, text], at) =>
    text !== null && [limit, remaining, resetSeconds][at] === null ? [flaw(name, text, 'is no whole number')] : [],
  );
  return { draft: 'separate fields', limits: [{ name: null, partition: null, limit, remaining, resetSeconds }], flaws };
}

function policyIn([value, parameters]: List[number]): Policy {
  const name = nameIn(value);
  const unit = parameters.get('qu');
  return {
    name,
    quota: wholeNumber(name === null ? value : parameters.get('q')),
    windowSeconds: wholeNumber(parameters.get('w')),
    unit: typeof unit === 'string' ? unit : null,
    partition: partitionIn(parameters.get('pk')),
  };
}

function limitOf([value, parameters]: List[number]): ServiceLimit {
  return {
    name: nameIn(value),
    partition: partitionIn(parameters.get('pk')),
    limit: null,
    remaining: wholeNumber(parameters.get('r')),
    resetSeconds: wholeNumber(parameters.get('t')),
  };
}

/** Flaws of a policy under this draft. */
function flawOf({ name, quota }: Policy, draft: Draft | null): readonly string[] {
  if (name === null && draft === 'newest') return ['an entry has no name'];
  return quota === null ? ['q is no whole number'] : [];
}

function nameIn(value: unknown): string | null {
  if (value instanceof Token) return value.toString();
  return typeof value === 'string' ? value : null;
}

function partitionIn(value: unknown): string | null {
  return value instanceof ArrayBuffer ? Buffer.from(value).toString('base64') : null;
}

/** Below 0 is a number, too: whether it may be is another law's matter. */
function wholeNumber(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) ? value : null;
}

function parsed<T extends List | Map<string, Item | [Item[], Item[1]]>>(
  parse: (text: string) => T,
  text: string,
): T | null {
  try {
    return parse(text);
  } catch {
    // The library throws for whatever is no structured field.
    return null;
  }
}

function unparsed(field: string, text: string): Flaw {
  return flaw(field, text, 'is no structured field (RFC 9651)');
}

function flaw(field: string, text: string | null, lack: string): Flaw {
  return { field, text: text ?? '', lack };
}

/** The field, its lines joined as RFC 9110 has it; null where it is absent. */
function fieldValue(headers: HeaderList, name: string): string | null {
  const lines = valuesOf(headers, name);
  return lines.length === 0 ? null : lines.join(', ');
}
