// Reads the terms out of a contract's document, which the schema (src/config/contract.schema.json) has found right.
import { X_RATELIMIT } from './customs.ts';
import {
  type ClientTerms,
  type DocumentedTerms,
  type ErrorRole,
  type ErrorTerms,
  type IdempotencyTerms,
  type LinkTerms,
  type MemberTerms,
  type PagingStyle,
  type PagingTerms,
  type Place,
  type RateTerms,
  type RefusalTerms,
  type RegistrationTerms,
  type ResetForm,
  type ServiceTerms,
  type Terms,
  USUAL_ANSWER_SECONDS,
} from './terms.ts';

type One<T> = T | readonly T[];
type HeaderDocument = { readonly header: string };
type PlaceDocument = string | HeaderDocument;
/** A member of an error, as the file says it. */
export type MemberDocument =
  | string
  | null
  | (({ readonly at: string } | HeaderDocument) & { readonly optional?: boolean; readonly form?: string });
interface RefusalDocument {
  readonly status?: One<number>;
  readonly code?: string;
}
type LinkDocument = string | { readonly header: string; readonly rel?: string };

/** One entry of `pagination`. */
export interface PagingDocument {
  readonly operations?: readonly string[];
  readonly style?: PagingStyle;
  readonly parameters?: Readonly<Partial<Record<'size' | 'page' | 'offset' | 'cursor', string | null>>>;
  readonly first?: number;
  readonly items?: string;
  readonly total?: PlaceDocument | null;
  readonly pages?: PlaceDocument | null;
  readonly page?: PlaceDocument | null;
  readonly limit?: PlaceDocument | null;
  readonly more?: string | null;
  readonly absent?: readonly string[];
  readonly pastEnd?: PagingTerms['pastEnd'];
  readonly next?: LinkDocument;
  readonly prev?: LinkDocument;
  readonly firstPage?: LinkDocument;
  readonly lastPage?: LinkDocument;
  readonly size?: Partial<PagingTerms['size']>;
}

type RateHeadersDocument =
  | One<'x-ratelimit' | 'ietf'>
  | { readonly used: string }
  | {
      readonly limit: string;
      readonly remaining: string;
      readonly reset?: string | { readonly name: string; readonly form?: ResetForm };
    };

type ServiceDocument = Partial<Omit<ServiceTerms, 'documented'>> & {
  readonly documented?: readonly (Pick<DocumentedTerms, 'operation'> & Partial<DocumentedTerms>)[];
};

/** A contract as its file says it, with all that it extends. */
export interface ContractDocument {
  readonly name: string;
  readonly services?: Readonly<Record<string, ServiceDocument>>;
  readonly errors?: {
    readonly statuses?: readonly (string | number)[];
    readonly mediaType?: string | null;
    readonly schema?: unknown;
    readonly envelope?: string | null;
    readonly members?: Readonly<Partial<Record<ErrorRole, MemberDocument>>>;
    readonly codes?: Readonly<Record<string, number | { readonly status: number; readonly type?: string }>>;
    readonly success?: 'never' | 'allowed';
  } | null;
  readonly authentication?: { readonly refused?: RefusalDocument; readonly locked?: RefusalDocument };
  readonly requests?: {
    readonly unknownPath?: RefusalDocument;
    readonly invalid?: RefusalDocument;
    readonly references?: readonly string[];
    readonly answeredWithin?: number;
  };
  readonly registration?: (Pick<RegistrationTerms, 'operation'> & Partial<RegistrationTerms>) | null;
  readonly pagination?:
    | readonly PagingDocument[]
    | { readonly lists?: readonly PagingDocument[]; readonly linkHeader?: 'allowed' | 'forbidden' };
  readonly idempotency?:
    | (Partial<Pick<IdempotencyTerms, 'operations' | 'never'>> & {
        readonly header?: string;
        readonly keys?: 'text' | 'uuid' | 'quoted';
        readonly elsewhere?: 'accepted' | 'refused' | 'absent';
        readonly otherBody?: RefusalDocument;
      })
    | null;
  readonly rateLimits?:
    | (Partial<Pick<RateTerms, 'per' | 'exempt' | 'plans' | 'rising'>> & {
        readonly headers?: RateHeadersDocument;
        readonly refused?: Partial<RateTerms['refused']>;
        readonly throttles?: readonly {
          readonly operation: string;
          readonly within: { readonly calls: number; readonly seconds: number };
        }[];
      })
    | null;
  readonly versions?: { readonly prefix?: string; readonly header?: 'ignored'; readonly sunset?: 'absent' | 'allowed' };
  readonly description?: { readonly schemes?: readonly string[]; readonly deprecated?: 'none' | 'allowed' };
  readonly redirects?: { readonly notFollowed?: boolean };
  readonly health?: { readonly operation: string; readonly public?: boolean };
  readonly internal?: readonly string[];
  readonly conditional?: { readonly operations: readonly string[] };
  readonly webhooks?: { readonly algorithm?: 'hmac-sha256'; readonly header?: string; readonly signed?: string };
  readonly clients?: Omit<ClientTerms, 'tasks'> & Partial<Pick<ClientTerms, 'tasks'>>;
  readonly unused?: { readonly statuses?: readonly number[] };
  readonly undeclared?: { readonly statuses?: readonly number[] };
}

/** The document's terms. */
export function termsOf(document: ContractDocument): Terms {
  const { authentication, description, health } = document;
  const { lists, linkHeader } = pagingIn(document.pagination);
  return {
    services: Object.fromEntries(
      Object.entries(document.services ?? {}).map(([name, one]) => [name, serviceTerms(one)]),
    ),
    errors: document.errors == null ? null : errorTerms(document.errors),
    authentication: { refused: refusal(authentication?.refused), locked: refusal(authentication?.locked) },
    requests: requestTerms(document.requests),
    registration: document.registration == null ? null : registrationTerms(document.registration),
    pagination: lists.map(pagingTerms),
    forbidsLinkHeader: linkHeader === 'forbidden',
    idempotency: document.idempotency == null ? null : idempotencyTerms(document.idempotency),
    rateLimits: document.rateLimits == null ? null : rateTerms(document.rateLimits),
    versions: versionTerms(document.versions),
    description: { schemes: description?.schemes ?? [], hasNoDeprecated: description?.deprecated === 'none' },
    judgesRedirects: document.redirects?.notFollowed === true,
    health: health === undefined ? null : { operation: health.operation, isPublic: health.public ?? true },
    internal: document.internal ?? [],
    conditional: document.conditional?.operations ?? [],
    webhooks: { header: document.webhooks?.header ?? null, signed: document.webhooks?.signed ?? null },
    clients: document.clients === undefined ? null : { tasks: {}, ...document.clients },
    ...statusesIn(document),
  };
}

function statusesIn({ unused, undeclared }: ContractDocument): Pick<Terms, 'unusedStatuses' | 'undeclaredStatuses'> {
  return { unusedStatuses: unused?.statuses ?? [], undeclaredStatuses: undeclared?.statuses ?? [] };
}

function versionTerms({ prefix, header, sunset }: ContractDocument['versions'] = {}): Terms['versions'] {
  return { prefix: prefix ?? null, ignoresHeader: header === 'ignored', hasNoSunset: sunset === 'absent' };
}

function requestTerms(stated: ContractDocument['requests'] = {}): Terms['requests'] {
  const { unknownPath, invalid, references = [], answeredWithin = USUAL_ANSWER_SECONDS } = stated;
  return {
    ...{ unknownPath: refusal(unknownPath), invalid: refusal(invalid), references },
    answeredWithinSeconds: answeredWithin,
  };
}

function registrationTerms({
  email = '/email',
  password = null,
  ...stated
}: NonNullable<ContractDocument['registration']>): RegistrationTerms {
  return { status: 201, taken: 409, ...stated, email: email.slice(1), password: password?.slice(1) ?? null };
}

/** The entries on lists, in either form, and what is said of the `Link` header. */
export function pagingIn(stated: ContractDocument['pagination']): {
  readonly lists: readonly PagingDocument[];
  readonly linkHeader?: 'allowed' | 'forbidden';
} {
  if (stated === undefined) return { lists: [] };
  return isList(stated) ? { lists: stated } : { lists: [], ...stated };
}

function isList<T, O>(value: readonly T[] | O): value is readonly T[] {
  return Array.isArray(value);
}

function listed<T>(value: One<T> | undefined): readonly T[] {
  if (value === undefined) return [];
  return isList<T, T>(value) ? value : [value];
}

const NOTHING_OF_SERVICE = { openapi: null, version: null, operations: null, resources: null, statuses: null } as const;
const NOTHING_DOCUMENTED = { query: {}, body: 'none', requiredStrings: [] } as const;

function serviceTerms({ documented = [], ...stated }: ServiceDocument): ServiceTerms {
  return { ...NOTHING_OF_SERVICE, ...stated, documented: documented.map((one) => ({ ...NOTHING_DOCUMENTED, ...one })) };
}

function refusal(stated: RefusalDocument | undefined): RefusalTerms | null {
  return stated === undefined ? null : { statuses: listed(stated.status), code: stated.code ?? null };
}

function errorTerms(stated: NonNullable<ContractDocument['errors']>): ErrorTerms {
  const members = Object.entries(stated.members ?? {}).flatMap(([role, member]) =>
    member === null ? [] : [[role, memberTerms(member)] as const],
  );
  const codes = Object.entries(stated.codes ?? {}).map(
    ([code, one]) => [code, typeof one === 'number' ? { status: one, type: null } : { type: null, ...one }] as const,
  );
  return {
    statuses: (stated.statuses ?? ['4XX', '5XX']).map(String),
    mediaType: stated.mediaType ?? null,
    schema: stated.schema ?? null,
    envelope: stated.envelope ?? null,
    members: Object.fromEntries(members),
    codes: Object.fromEntries(codes),
    isNeverOnSuccess: stated.success === 'never',
  };
}

function memberTerms(stated: NonNullable<MemberDocument>): MemberTerms {
  if (typeof stated === 'string') return { at: stated, isOptional: false, form: null };
  const at = 'header' in stated ? stated.header : stated.at;
  return { at, isOptional: stated.optional ?? false, form: stated.form ?? null };
}

/** null: none. */
function place(stated: PlaceDocument | null): Place | null {
  return typeof stated === 'object' && stated !== null ? stated.header : stated;
}

/** The values of what a list's entry leaves out. */
const PAGING_DEFAULTS = {
  ...({ style: 'page', operations: null, items: null, more: null, absent: [], pastEnd: null, first: null } as const),
  ...({ total: null, pages: null, page: null, limit: null } as const),
};
const SIZE_DEFAULTS = { default: null, maximum: null, above: null } as const;

function pagingTerms(stated: PagingDocument): PagingTerms {
  const { operations, style, first, items, more, absent, pastEnd, total, pages, page, limit } = {
    ...PAGING_DEFAULTS,
    ...stated,
  };
  const { size = null, ...turns } = stated.parameters ?? {};
  const turn = style === 'limit' || style === 'links' ? null : (turns[style] ?? style);
  return {
    ...{ operations, style, first, items, more, absent, pastEnd },
    parameters: { size, turn },
    counts: { total: place(total), pages: place(pages), page: place(page), size: place(limit) },
    links: {
      next: linkTerms(stated.next),
      prev: linkTerms(stated.prev),
      first: linkTerms(stated.firstPage),
      last: linkTerms(stated.lastPage),
    },
    size: { ...SIZE_DEFAULTS, ...stated.size },
  };
}

function linkTerms(stated: LinkDocument | undefined): LinkTerms | null {
  if (stated === undefined) return null;
  return typeof stated === 'string' ? { at: stated } : { header: stated.header, rel: stated.rel ?? null };
}

function idempotencyTerms(stated: NonNullable<ContractDocument['idempotency']>): IdempotencyTerms {
  const { header = null, keys = null, operations = [], never = [], elsewhere, otherBody } = stated;
  return {
    header,
    keys,
    operations: [...new Set([...operations, ...never])],
    never,
    elsewhere: elsewhere === undefined || elsewhere === 'absent' ? null : elsewhere,
    otherBody: refusal(otherBody),
  };
}

function rateTerms(stated: NonNullable<ContractDocument['rateLimits']>): RateTerms {
  const { status = 429, retryAfter = 'optional' } = stated.refused ?? {};
  return {
    ...rateHeaders(stated.headers),
    per: stated.per ?? 'key',
    exempt: stated.exempt ?? [],
    refused: { status, retryAfter },
    plans: stated.plans ?? {},
    rising: stated.rising ?? [],
    throttles: (stated.throttles ?? []).map(({ operation, within }) => ({ operation, ...within })),
  };
}

function rateHeaders(stated: RateHeadersDocument | undefined): Pick<RateTerms, 'headers' | 'isIetf'> {
  if (stated === undefined) return { headers: null, isIetf: false };
  if (typeof stated === 'string' || isList(stated)) {
    const kinds = listed(stated);
    return { headers: kinds.includes('x-ratelimit') ? X_RATELIMIT : null, isIetf: kinds.includes('ietf') };
  }
  const own = stated as Exclude<RateHeadersDocument, One<'x-ratelimit' | 'ietf'>>;
  // One header tells both.
  if ('used' in own)
    return { headers: { limit: own.used, remaining: own.used, reset: null, resetForm: null }, isIetf: false };
  const { limit, remaining, reset } = own;
  const [name = null, form = null] = typeof reset === 'object' ? [reset.name, reset.form ?? null] : [reset];
  return { headers: { limit, remaining, reset: name, resetForm: form }, isIetf: false };
}
