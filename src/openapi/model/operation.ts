// A description as the rest of the program sees it: operations, parameters, bodies, declared responses.
// Schemas stay raw JSON with their $refs; they are resolved and compiled only when somebody asks.

import type { Pieces } from '../../clock/pieces.ts';

/** A schema and where it stands. Resolve and compile it through the description it came from. */
export interface SchemaHandle {
  /** JSON pointer in the bundled document. */
  readonly pointer: string;
  /** true, false or a schema object, possibly a $ref. */
  readonly value: unknown;
}

export interface Parameter {
  /** Empty: the parameter is the whole query. */
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required: boolean;
  readonly schema: SchemaHandle | null;
  readonly style: string;
  readonly explode: boolean;
  /** Media type of a parameter that is described by `content`; its value is written in that, and style has no say. */
  readonly contentType?: string;
  /** Examples of the description, best first. */
  readonly examples: readonly unknown[];
  /** The sentences that describe it beside its schema. Absent: none. */
  readonly prose?: string;
}

export interface MediaType {
  /** As declared, lower case, without parameters: "application/json". */
  readonly mediaType: string;
  /** Its parameters as declared: "; version=2". Absent: none. */
  readonly parameters?: string;
  readonly schema: SchemaHandle | null;
  /** The schema of each item, where the body is a sequence of them; absent: none is stated. */
  readonly itemSchema?: SchemaHandle;
  readonly examples: readonly unknown[];
  /** How members of a form are written, where the description says so. */
  readonly encoding?: Readonly<Record<string, FormEncoding>>;
}

export interface FormEncoding {
  readonly style?: string;
  readonly explode?: boolean;
  readonly contentType?: string;
}

export interface RequestBody {
  readonly required: boolean;
  readonly content: readonly MediaType[];
}

export interface DeclaredHeader {
  readonly name: string;
  readonly required: boolean;
  readonly schema: SchemaHandle | null;
  /** Media type of a header that is described by `content`. */
  readonly contentType?: string;
  /** Style of its lists where that is another than commas. */
  readonly style?: string;
}

export interface DeclaredResponse {
  /** "200", "2XX" or "default". */
  readonly status: string;
  readonly content: readonly MediaType[];
  readonly headers: readonly DeclaredHeader[];
  /** Values that the answer hands to other operations; absent: none. */
  readonly links?: readonly Link[];
}

/** A Link Object: the operation that it leads to, by id or by JSON pointer, and runtime expressions for its parameters. */
export interface Link {
  readonly operationId: string | null;
  readonly pointer: string | null;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Values that the configuration decides for every request of an operation: no valid request has other ones there. */
export interface FixedInput {
  /** Members of the body, by name. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Values of parameters, by name. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The key that ordinary calls are sent with; null: the run's own choice. */
  readonly key: string | null;
}

export interface Operation {
  /** Method and full path template, base path of servers[] included: "POST /v1/stores". Unique within a service. */
  readonly key: string;
  readonly service: string;
  /** Upper case. */
  readonly method: string;
  /** Full path template. */
  readonly path: string;
  readonly operationId: string | null;
  readonly tags: readonly string[];
  readonly deprecated: boolean;
  /** JSON pointer of the operation object in its file. */
  readonly pointer: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody: RequestBody | null;
  readonly responses: readonly DeclaredResponse[];
  /** Alternatives of scheme names; empty list: public. An empty alternative makes authentication optional. */
  readonly security: readonly (readonly string[])[];
  /** Names of its schemes that no request can carry a configured key for: mutualTLS, HTTP Digest. Absent: none. */
  readonly unspoken?: readonly string[];
  /** Why the operation cannot be tested (an unsupported media type, a reference that does not resolve); null when it can. */
  readonly unsupported: string | null;
  /** Absent: the configuration fixes nothing of its requests. */
  readonly fixed?: FixedInput;
  /** Set: the contract or the configuration says that it takes an Idempotency-Key, whether its description declares one or not. */
  readonly keyed?: true;
  /** Set: the contract says that it is never executed twice for one key. */
  readonly neverTwice?: true;
  /** Set: the contract says that it shows entity tags, or takes them. */
  readonly conditional?: true;
  /** The header that its contract or its description names for idempotency keys, where that is another than Idempotency-Key. */
  readonly keyHeader?: string;
  /** The form that its contract states for keys. Absent: none but what the header's schema says. */
  readonly keyForm?: 'text' | 'uuid' | 'quoted';
}

/** Where a description breaks OpenAPI's rules. */
export interface Problem {
  readonly file: string;
  /** JSON pointer; "" is the whole document. */
  readonly pointer: string;
  /** Short name of the rule: "unresolved-ref", "schema-keyword", "duplicate-operation-id". */
  readonly rule: string;
  readonly message: string;
  /** 1-based line in the file, where known. */
  readonly line?: number;
}

/** A flaw of a value, one entry per failing keyword. */
export interface SchemaBreach {
  /** JSON pointer into the value. */
  readonly pointer: string;
  readonly keyword: string;
  readonly message: string;
  /** Demand of the keyword, in words or as JSON. */
  readonly expected: string;
  /** Values that `type`, `enum` or `const` admits, where they are few and plain; absent for all else. */
  readonly wanted?: readonly (string | number | boolean | null)[];
}

/**
 * Judges a decoded JSON value against a schema, in one direction (readOnly and writeOnly differ). Empty: valid. Throws
 * TooCostly for a value that takes longer than a run can wait, and RangeError for one that is nested too deeply.
 */
export type Validator = (value: unknown) => readonly SchemaBreach[];

/** One change to a value that was valid before. */
export interface Change {
  /** As it is now. */
  readonly value: unknown;
  /** The unescaped tokens of the place that was changed or left out. */
  readonly path: readonly string[];
  /** The keywords that may be broken at the place itself; null: any. */
  readonly keywords: readonly string[] | null;
}

/** Schemas from which a discriminator chooses. */
export interface Choice {
  /** The property that names the branch. */
  readonly property: string;
  /** The keyword whose alternatives the branches are; null where subschemas build on the schema by allOf. */
  readonly keyword: 'oneOf' | 'anyOf' | null;
  readonly branches: readonly { readonly names: readonly string[]; readonly schema: unknown }[];
  /** Further names that the property may have; null: any. */
  readonly others: readonly string[] | null;
}

export interface SecurityScheme {
  readonly name: string;
  readonly type: string;
  readonly scheme: string | null;
  readonly bearerFormat: string | null;
  /** Place of an apiKey scheme's key, and the name of that header, query parameter or cookie. */
  readonly in: 'header' | 'query' | 'cookie' | null;
  readonly parameter: string | null;
}

export interface Description {
  readonly service: string;
  /** As named by the user: path or URL. */
  readonly file: string;
  /** SHA-256 over the digests of all its files, as hex. */
  readonly digest: string;
  readonly openapi: string;
  readonly dialect: '3.0' | '3.1';
  readonly title: string;
  readonly version: string;
  readonly securitySchemes: readonly SecurityScheme[];
  readonly operations: readonly Operation[];
  readonly problems: readonly Problem[];
  /** The raw document, $refs kept. */
  readonly document: unknown;
  /** Follows $ref until something else stands there; siblings of a 3.1 $ref are kept beside it as allOf. Undefined: unresolvable. */
  deref(schema: unknown): unknown;
  /** The alternatives that a schema's discriminator names; null where it has none, or where they cannot be told by name. */
  branches(schema: object): Choice | null;
  /** Compiled once per handle and direction, on first use. Null when the schema cannot be compiled (a Problem tells why). */
  validator(schema: SchemaHandle, direction: 'request' | 'response'): Validator | null;
  /** Makes, piece by piece, what takes long to make of `validator` and `fits`; whoever asks lets the event loop turn between two pieces. */
  prepare(schema: SchemaHandle, direction: 'request' | 'response'): Pieces<void>;
  /**
   * Tells whether the value is one of a request; null when the schema cannot be compiled, or the value takes too long
   * to judge. Tells no reasons, and so costs less than `validator`.
   */
  fits(schema: SchemaHandle, value: unknown): boolean | null;
  /** Tells whether a request value that one change was made to breaks the schema, and in no place but that of the change. */
  isBrokenAt(schema: SchemaHandle, change: Change): boolean;
  /** Properties present in the value that no applicable `properties` of the schema mentions though the schema allows them (SCH-09): JSON pointers. Throws TooCostly where the schema is too large. */
  undescribed(schema: SchemaHandle, value: unknown, direction: 'request' | 'response'): readonly string[];
  /** Lets go of all that was compiled: it is large, and made anew when it is asked for. */
  readonly forget?: () => void;
}

/** The operation, as plans, experiments and outcomes name it. */
export function spotOf({ service, key }: Operation): { readonly service: string; readonly operation: string } {
  return { service, operation: key };
}
