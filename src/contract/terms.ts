// Defines the terms of a contract as data: the facts that bind clauses. A contract file says them (docs/contract.md);
// what it leaves out is null or empty here, and binds nothing.

/** A JSON pointer into a body, where a segment `*` stands for each item of a list; or the name of a header, which begins with no slash. */
export type Place = string;

/** Tells whether the place is a header. */
export function isHeader(place: Place): boolean {
  return place !== '' && !place.startsWith('/');
}

/** The meaning of a member of an error, whatever it is called. */
export type ErrorRole =
  | 'type'
  | 'code'
  | 'title'
  | 'message'
  | 'status'
  | 'docUrl'
  | 'requestId'
  | 'instance'
  | 'timestamp'
  | 'param'
  | 'field'
  | 'fieldCode'
  | 'fieldMessage';

/** Roles that an error has whatever it is about; the others belong to refused input. */
export const ERROR_WIDE_ROLES: readonly ErrorRole[] = [
  ...(['type', 'code', 'title', 'message', 'status'] as const),
  ...(['docUrl', 'requestId', 'instance', 'timestamp'] as const),
];

/** Where an error says it, and how. */
export interface MemberTerms {
  readonly at: Place;
  /** True where an error may leave it out: it is judged where it stands. */
  readonly isOptional: boolean;
  /**
   * The form of the value. Codes: snake_case, kebab-case, uri or a regular expression. Fields: pointer, path or name;
   * segments, a list of those of a path; or keys, the names of the members that stand there. Addresses of
   * documentation: one with {docs_url} and {code} in it. The status: integer. The instance: path. null: any.
   */
  readonly form: string | null;
}

/** The answer to something that is refused. Empty: any 4xx. */
export interface RefusalTerms {
  readonly statuses: readonly number[];
  /** The value of the role `code`; null: any. */
  readonly code: string | null;
}

/** ERR. */
export interface ErrorTerms {
  /** Which answers are errors: `4XX`, `5XX`, `default` or single statuses. */
  readonly statuses: readonly string[];
  /** The media type of errors (ERR-14); null: any JSON. */
  readonly mediaType: string | null;
  /** The JSON Schema of an error's body (ERR-14); null: members alone are judged. */
  readonly schema: unknown;
  /** The one member at the top under which all others stand; null: errors have none. */
  readonly envelope: Place | null;
  readonly members: Readonly<Partial<Record<ErrorRole, MemberTerms>>>;
  /** Listed codes, with the status, and where stated the type, that each comes with (ERR-11). */
  readonly codes: Readonly<Record<string, { readonly status: number; readonly type: string | null }>>;
  /** True where a success never looks like an error (ERR-13). */
  readonly isNeverOnSuccess: boolean;
}

/** page: a page number. offset: the index of the first item. limit: a size alone. cursor: a text of the answer before. links: an address of the answer before. */
export type PagingStyle = 'page' | 'offset' | 'limit' | 'cursor' | 'links';

/** Where an answer leads to another page: a member of the body, a relation of a header, or where that has no relations all of it. */
export type LinkTerms = { readonly at: Place } | { readonly header: string; readonly rel: string | null };

/** PAG: how some lists page. */
export interface PagingTerms {
  /** Globs over operation keys; null: each list that has these parameters. */
  readonly operations: readonly string[] | null;
  readonly style: PagingStyle;
  /** Names of query parameters; null: the list has none such. */
  readonly parameters: {
    readonly size: string | null;
    /** The one that turns pages: a page number, an offset or a cursor. */
    readonly turn: string | null;
  };
  /** The number of the first page, or the offset of the first item; null: not stated, and then the usual one. */
  readonly first: number | null;
  /** Where the items stand; null: found out. */
  readonly items: Place | null;
  /** Where the answer counts: all items, all pages, this page's number and its size; null: it does not. */
  readonly counts: {
    readonly total: Place | null;
    readonly pages: Place | null;
    readonly page: Place | null;
    readonly size: Place | null;
  };
  /** A member that says whether another page follows; null: none does. */
  readonly more: Place | null;
  /** Members that no page has. */
  readonly absent: readonly Place[];
  /** The answer to a request past the last page; not-shown: nobody is to ask. null: no item, in one way or the other. */
  readonly pastEnd: 'empty' | 'refused' | 'not-shown' | null;
  /** Where further pages are told; null: nowhere. */
  readonly links: {
    readonly next: LinkTerms | null;
    readonly prev: LinkTerms | null;
    readonly first: LinkTerms | null;
    readonly last: LinkTerms | null;
  };
  readonly size: {
    /** Items a page where no size is asked for; null: not stated. */
    readonly default: number | null;
    readonly maximum: number | null;
    /** The answer to a size above the maximum; null: either. */
    readonly above: 'clamp' | 'refuse' | null;
  };
}

/** IDEM. */
export interface IdempotencyTerms {
  /** null: the one that a description declares for keys, else the usual one. */
  readonly header: string | null;
  /** The form of keys: any text, UUIDs, or the Strings of structured fields, in quotes; null: not stated. */
  readonly keys: 'text' | 'uuid' | 'quoted' | null;
  /** Globs over operation keys whose effect happens once a key; those of `never` are among them. */
  readonly operations: readonly string[];
  /** Globs over what is never executed twice for one key (IDEM-05). */
  readonly never: readonly string[];
  /** The answer of other writes to the header (IDEM-06); null: not stated. */
  readonly elsewhere: 'accepted' | 'refused' | null;
  /** The answer to the same key with another body (IDEM-08); null: not stated. */
  readonly otherBody: RefusalTerms | null;
}

/** How a header tells when a window ends; null: found out. */
export type ResetForm = 'epoch-seconds' | 'epoch-milliseconds' | 'delta-seconds' | 'duration' | 'date';

/** RATE. */
export interface RateTerms {
  /** The names of the three headers, of which one may tell both numbers as used/limit; null: the contract states none of this kind. */
  readonly headers: {
    readonly limit: string;
    readonly remaining: string;
    readonly reset: string | null;
    readonly resetForm: ResetForm | null;
  } | null;
  /** True where answers carry `RateLimit` and `RateLimit-Policy` of the IETF's draft (RATE-12). */
  readonly isIetf: boolean;
  /** `operation`: each operation has limits of its own; their calls are counted apart. */
  readonly per: 'key' | 'operation';
  /** Globs over operations that no limit holds for. */
  readonly exempt: readonly string[];
  readonly refused: { readonly status: number; readonly retryAfter: 'required' | 'optional' };
  readonly plans: Readonly<Record<string, { readonly limit?: number; readonly windowSeconds?: number }>>;
  /** Plans whose limits do not fall in this order (RATE-08). */
  readonly rising: readonly string[];
  /** Throttles of single operations (RATE-09). */
  readonly throttles: readonly {
    readonly operation: string;
    readonly calls: number;
    readonly seconds: number;
  }[];
}

/** The operation that registers accounts (REQ-07). */
export interface RegistrationTerms {
  /** Operation key. */
  readonly operation: string;
  /** The name of the member that no two accounts share, and that none is registered without. */
  readonly email: string;
  /** Another member that none is registered without; null: none is stated. */
  readonly password: string | null;
  /** The status of a first registration, and that of a second one with the same email. */
  readonly status: number;
  readonly taken: number;
}

/** An operation that a contract shows, and what it says of its request (SPEC-10). */
export interface DocumentedTerms {
  /** Operation key; the names of its path parameters do not matter. */
  readonly operation: string;
  /** Query parameters; `any` where no type is stated. */
  readonly query: Readonly<Record<string, 'string' | 'number' | 'any'>>;
  /** The request's body; `optional`: the contract leaves open whether it has one. */
  readonly body: 'none' | 'json' | 'optional';
  /** Members of the body that are required strings. */
  readonly requiredStrings: readonly string[];
}

/** SPEC: what a contract says of the description of one service. */
export interface ServiceTerms {
  /** The versions of OpenAPI and of the description (SPEC-02); null: not stated. */
  readonly openapi: string | null;
  readonly version: string | null;
  /** How many operations and resources there are, and operations by declared status (SPEC-09); null: not stated. */
  readonly operations: number | null;
  readonly resources: number | null;
  readonly statuses: Readonly<Record<string, number>> | null;
  /** Empty: none is shown. */
  readonly documented: readonly DocumentedTerms[];
}

/** How deliveries of webhooks are signed (HOOK); null: found out. */
export interface WebhookTerms {
  readonly header: string | null;
  /** The text that is signed, with placeholders such as `{body}` and `{x-timestamp}`. */
  readonly signed: string | null;
}

/** How clients wait and how often they try again (CLIENT-03 to CLIENT-05). */
export interface ClientTerms {
  readonly maxRetries: number;
  /** The first wait after a 429 or a 503 that names none; it doubles up to the cap. */
  readonly base429Ms: number;
  readonly capMs: number;
  readonly jitterMs: number;
  /** The first wait after another 5xx. */
  readonly base5xxMs: number;
  /** The operation that each task of `assay client` is about, by the task's name. */
  readonly tasks: Readonly<Record<string, string>>;
}

/** The facts that a contract states. Each part binds the clauses of its family; `null` and empty lists bind none. */
export interface Terms {
  /** The terms of each service, under its name. */
  readonly services: Readonly<Record<string, ServiceTerms>>;
  readonly errors: ErrorTerms | null;
  readonly authentication: { readonly refused: RefusalTerms | null; readonly locked: RefusalTerms | null };
  readonly requests: {
    readonly unknownPath: RefusalTerms | null;
    readonly invalid: RefusalTerms | null;
    /** Globs over operations whose body names things by their ids: one that does not exist is answered as an unknown path is (REQ-02). */
    readonly references: readonly string[];
    /** No request goes unanswered for longer (REQ-09). */
    readonly answeredWithinSeconds: number;
  };
  readonly registration: RegistrationTerms | null;
  /** The first that names an operation counts. */
  readonly pagination: readonly PagingTerms[];
  /** True where no answer carries a `Link` header (PAG-11). */
  readonly forbidsLinkHeader: boolean;
  readonly idempotency: IdempotencyTerms | null;
  readonly rateLimits: RateTerms | null;
  readonly versions: {
    /** Below which all paths stand (SPEC-05); null: not stated. */
    readonly prefix: string | null;
    /** True where a header with a version changes nothing (VER-01). */
    readonly ignoresHeader: boolean;
    /** True where `Sunset` and `Deprecation` are never sent (VER-02). */
    readonly hasNoSunset: boolean;
  };
  /** The security schemes by name (SPEC-03, SPEC-04), and whether nothing is deprecated (SPEC-08). */
  readonly description: { readonly schemes: readonly string[]; readonly hasNoDeprecated: boolean };
  /** True where clients are expected to get redirects unfollowed (RED-01). */
  readonly judgesRedirects: boolean;
  readonly health: { readonly operation: string; readonly isPublic: boolean } | null;
  /** Globs over paths that no public key is served (INT-01). */
  readonly internal: readonly string[];
  /** Globs over operations with ETags (COND). */
  readonly conditional: readonly string[];
  readonly webhooks: WebhookTerms;
  readonly clients: ClientTerms | null;
  /** Statuses that are never used (SCH-07). */
  readonly unusedStatuses: readonly number[];
  /** Errors that no operation need declare (SCH-08); empty: not stated, and then those of HTTP itself. */
  readonly undeclaredStatuses: readonly number[];
}

/** Who says so. */
export interface Contract {
  /** The contract that it stands on: it decides what no terms speak of. */
  readonly base: 'commerce' | 'openapi';
  readonly name: string;
  /** The file, as reports call it; null: one that ships. */
  readonly file: string | null;
  /** SHA-256 over the whole content, with what it extends, in hex. */
  readonly digest: string;
  readonly terms: Terms;
}

/** An answer is awaited for this time where nobody says how long. */
export const USUAL_ANSWER_SECONDS = 30;

/** Nothing is stated beyond the descriptions. */
export const NO_TERMS: Terms = {
  services: {},
  errors: null,
  authentication: { refused: null, locked: null },
  requests: { unknownPath: null, invalid: null, references: [], answeredWithinSeconds: USUAL_ANSWER_SECONDS },
  registration: null,
  pagination: [],
  forbidsLinkHeader: false,
  idempotency: null,
  rateLimits: null,
  versions: { prefix: null, ignoresHeader: false, hasNoSunset: false },
  description: { schemes: [], hasNoDeprecated: false },
  judgesRedirects: false,
  health: null,
  internal: [],
  conditional: [],
  webhooks: { header: null, signed: null },
  clients: null,
  unusedStatuses: [],
  undeclaredStatuses: [],
};

/** How terms bind a clause: whether they state it, by which line of the file, and in which words. */
export interface Binding {
  /** Tells whether the terms bind the clause. */
  isBound(terms: Terms): boolean;
  /** The line of a contract file that binds it: "errors.members.code". */
  readonly by: string;
  /** The clause's sentence under these terms, in the contract's own names. */
  text(terms: Terms): string;
  /** Its sentence where no terms bind it and descriptions have it all the same; absent: the platform's. */
  readonly unbound?: string;
  /** Its tolerance under any terms but those of the platform's own contract; absent: as there. */
  readonly tolerance?: string;
  /** Set: no contract has the clause unless its terms state it, the platform's own included. */
  readonly isOfTermsAlone?: true;
}

export type Bindings = Readonly<Record<string, Binding>>;
