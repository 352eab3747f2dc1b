// The configuration after it was read, checked and its ${NAME}s filled in. The rest of the program trusts it.
import type { ContractName } from '../contract/contract.ts';
import type { DescribedRun, Finding, Report, ReportedExchange } from '../contract/report.ts';
import type { Contract } from '../contract/terms.ts';
import type { ScriptedAnswer } from '../contract/webhooks.ts';
import type { ConstantHeader } from './constant-header.ts';
import type { Proxies } from './proxies.ts';
import type { ConfiguredSecret } from './secrets.ts';
import type { TlsConfig } from './tls.ts';

export type Environment = 'staging' | 'production' | 'local';

/** How a key logs in for its tokens (RFC 6749). */
export interface OauthConfig {
  readonly tokenUrl: string;
  readonly clientId: string;
  /** null: the client has none. */
  readonly clientSecret: string | null;
  /** How the secret is sent: by HTTP Basic, or in the body. */
  readonly clientAuth: 'basic' | 'post';
  /** null: client credentials are used. */
  readonly refreshToken: string | null;
  readonly scope: string | null;
  readonly audience: string | null;
}

export interface KeyConfig {
  readonly name: string;
  readonly plan: string;
  /** The bearer token; null when `tokenCommand` or `oauth` yields it. */
  readonly token: string | null;
  /** Program and arguments that print a fresh token on stdout. */
  readonly tokenCommand: readonly string[] | null;
  /** Absent: the key does not log in. */
  readonly oauth?: OauthConfig;
  /** Account the key belongs to; null when not stated. */
  readonly account: string | null;
  /** The security scheme that the key is for; null: any. */
  readonly scheme: string | null;
}

export interface ServiceConfig {
  readonly name: string;
  /** Where the service lives, where it has an address of its own; null or absent: at `target.baseUrl`. */
  readonly baseUrl?: string | null;
  /** Absolute path or URL of the description; null for `spec: pending`. */
  readonly spec: string | null;
  /** The path that stands before every path in place of that of servers[]; null: that of servers[]. */
  readonly basePath: string | null;
}

/** The subscription whose deliveries `assay webhooks` judges. */
export interface WebhookConfig {
  readonly secret: string;
  /** The header of the signature; null: it is discovered. */
  readonly header: string | null;
  /** "hex", "base64", such as "hex of {x-timestamp}.{body}", or "of {body}" in any encoding; null: it is discovered. */
  readonly form: string | null;
  /** Program and arguments that make the platform deliver; null: something else does. */
  readonly trigger: readonly string[] | null;
  /** The answers to the first delivery of each event, in order; null: the receiver's own script. */
  readonly answers: readonly ScriptedAnswer[] | null;
}

/** A client of the platform that `assay certify` judges, too. */
export interface ClientConfig {
  readonly name: string;
  /** Program and arguments that perform one task through the client. */
  readonly command: readonly string[];
  /** Variables that the command gets beside those of this process. */
  readonly env: Readonly<Record<string, string>>;
}

export interface ListConfig {
  /** Glob over operation keys. */
  readonly operations: string;
  /** JSON pointer of the array of items in the answers; "" for the body itself. */
  readonly items: string;
}

/** Values that requests of some operations always hold, the key that they are sent with, and how long answers are awaited. */
export interface OperationConfig {
  /** Glob over operation keys. */
  readonly operations: string;
  /** Members of the body. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Values of parameters, by name. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Name of a key; null: the run's own choice. */
  readonly key: string | null;
  /** Longest wait for one answer; absent: that of the target. */
  readonly timeoutSeconds?: number;
}

/** Operations that are never called. */
export interface SkipConfig {
  /** Glob over operation keys. */
  readonly operations: string;
  /** Why, as reports say it. */
  readonly reason: string;
}

/** The user's own checks, reporters and hooks, unchecked, as the configuration holds them, and the files that hold more. */
export interface OwnParts {
  readonly checks: readonly unknown[];
  readonly reporters: readonly unknown[];
  readonly hooks: readonly unknown[];
  readonly extend: readonly string[];
}

/** How much a run may make: of what cannot be deleted in all, of what can be deleted at once. */
export interface CreationLimits {
  readonly perOperation: number;
  readonly total: number;
}

export interface Config {
  /** Absolute path of the configuration file; null when the embedded platform is the target. */
  readonly file: string | null;
  /** Set where options alone, and no file, say what is judged. */
  readonly described?: DescribedRun;
  /** Folder that relative paths start at, and that files are named relative to. */
  readonly folder: string | null;
  readonly target: {
    readonly baseUrl: string;
    readonly docsUrl: string | null;
    readonly environment: Environment;
    /** Sent with every request; absent: none. */
    readonly headers?: readonly ConstantHeader[];
    /** Absent: a server is believed whom Node believes, and the client shows no certificate. */
    readonly tls?: TlsConfig;
    /** Longest wait for one answer; absent: the 30 s that the contract allows. */
    readonly timeoutSeconds?: number;
    /** Set: requests name no trace. Absent: each names one, as W3C Trace Context says. */
    readonly trace?: 'none';
    /** Set where the target is the embedded reference platform, started for this run. */
    readonly embedded?: true;
  };
  /** Proxies that the environment names; absent: none. */
  readonly proxies?: Proxies;
  readonly services: readonly ServiceConfig[];
  readonly keys: readonly KeyConfig[];
  readonly credentials: { readonly locked: string | null; readonly expired: string | null };
  /** Names of the invalid tokens that are sent (AUTH-02); null: all. */
  readonly invalidTokens: readonly string[] | null;
  readonly fixtures: Readonly<Record<string, string>>;
  /** Decided: the configured value, or deny unless the environment is local. */
  readonly mutations: 'allow' | 'deny';
  readonly payments: {
    /** Decided: the configured value, or deny unless the environment is local and mutations are allowed there. */
    readonly consent: 'allow' | 'deny';
    /** Globs over operation keys: what is a payment, or none, whatever it is called; the first that matches counts. */
    readonly operations: readonly { readonly operations: string; readonly isPayment: boolean }[];
  };
  /** The contract that `stated` stands on. */
  readonly contract: ContractName;
  /** The contract by which the target is judged. */
  readonly stated: Contract;
  /** Under `contract: openapi`: globs over the operations for which PAG or IDEM are claimed; empty: none. */
  readonly laws: { readonly pagination: readonly string[]; readonly idempotency: readonly string[] };
  readonly load: Readonly<Record<string, unknown>>;
  /** Places that `$ref` may lead to beside the description's own folder: hosts, and folders as URLs that end in a slash. */
  readonly remoteRefs: readonly string[];
  readonly expect: {
    readonly plans: Readonly<Record<string, { readonly limit?: number; readonly windowSeconds?: number }>>;
    readonly isolation: boolean;
  };
  /** Must clauses that a certificate accepts untested, and why. */
  readonly certify: {
    readonly accept: Readonly<Record<string, string>>;
    /** Who answers for certificates; absent: nobody is named. */
    readonly issuer?: string;
  };
  readonly promote: readonly string[];
  /** Where lists keep their items; the first entry that matches an operation counts. */
  readonly lists: readonly ListConfig[];
  readonly skip: readonly SkipConfig[];
  /** The values that requests of some operations always hold; a later entry that matches wins. */
  readonly operations: readonly OperationConfig[];
  /** keep: evidence of `assay conform` shows the texts of `error.message`, which may hold personal data. */
  readonly evidence: { readonly errorMessages: 'redact' | 'keep' };
  /** The overlay that `--env` chose; null: none was. */
  readonly env: string | null;
  readonly gate: { readonly minOperations: number | null };
  /** Where a trace is looked at: an http or https URL with `{traceId}`; absent: reports link to none. */
  readonly traceUrl?: string;
  /** null: no subscription is configured. */
  readonly webhooks: WebhookConfig | null;
  readonly clients: readonly ClientConfig[];
  readonly limits: {
    readonly created: CreationLimits;
    /** Set: the file states them, and they hold for what the mix of a load creates, too. */
    readonly isStated?: true;
  };
  readonly own: OwnParts;
  /** Tokens, and whatever else the configuration holds or takes from the environment that must never be shown. */
  readonly secrets: readonly ConfiguredSecret[];
  /** The environment variables that hold whole tokens, as reports call the tokens: "key std-1" → "ASSAY_STANDARD". */
  readonly tokenVariables?: Readonly<Record<string, string>>;
}

/** One of `count` runs that share the operations; `index` counts from 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** One finding of an earlier run, to be looked at again. */
export interface Replayed {
  /** Id of that run. */
  readonly run: string;
  /** The target that showed it, and the configuration by which it was judged; null where that was no file. */
  readonly target: Report['target'];
  readonly config: string | null;
  /** Absent: the run had a configuration. */
  readonly described?: DescribedRun;
  readonly finding: Finding;
  /** The exchanges that are its evidence. */
  readonly evidence: readonly ReportedExchange[];
  /** True where a valid call of its operation succeeded in that run. */
  readonly succeeded: boolean;
}

/** The options that the command line adds to the configuration for one run. */
export interface RunOptions {
  readonly out: string | null;
  /** Empty: all. */
  readonly services: readonly string[];
  /** Globs over operation keys; empty: all. */
  readonly operations: readonly string[];
  /** Operations that are never called: `skip` of the configuration and `--exclude`; absent: none is left out. */
  readonly skipped?: readonly SkipConfig[];
  /** Clause ids; empty: all. */
  readonly clauses: readonly string[];
  readonly seed: number;
  /** The run's nonce; null: drawn afresh. Given again, the same seed sends byte for byte the same requests. */
  readonly runId: string | null;
  readonly budget: number | null;
  readonly timeLimitSeconds: number | null;
  /** Set: the run fits itself to this time by what it measures; absent: it takes as long as it takes. */
  readonly fitSeconds?: number;
  /** Most requests in flight at once; absent: the run's own choice. */
  readonly concurrency?: number;
  /** The part of the operations that this run answers for; absent: all. */
  readonly shard?: Shard;
  /** Only these operations, described otherwise than at a revision of git, as "admin GET /v1/stores"; absent: all. */
  readonly changed?: { readonly since: string; readonly operations: readonly string[] };
  /** Set: the run tells how many planted defects it would have noticed. */
  readonly sensitivity?: true;
  /** The one finding that the run looks at; absent: it looks at everything. */
  readonly replay?: Replayed;
}
