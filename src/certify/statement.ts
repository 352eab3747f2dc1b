// The certificate's form: an in-toto Statement v1 whose predicate says what was judged, with what, and on which
// evidence. Writer and verifier share this and certificate.schema.json, and nothing else.
import { createHash } from 'node:crypto';
import type { ClauseRow, Report, Revision, WaiverRow } from '../contract/report.ts';
import type { Sensitivity } from '../contract/sensitivity.ts';

export const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
export const PREDICATE_TYPE = 'https://assay.dev/conformance/v1';

/** Beside report.json in a run's folder. */
export const CERTIFICATE_FILE = 'certificate.json';
export const PAGE_FILE = 'certificate.html';
export const ENVELOPE_FILE = 'certificate.dsse.json';
export const CONFIGURATION_FILE = 'configuration.json';
export const SELF_CHECK_FILE = 'self-check.json';

export type CertificateVerdict = 'conforms' | 'conforms-with-waivers' | 'does-not-conform' | 'no-verdict';

/** A file or artefact by name and SHA-256, as hex. */
export interface Digested {
  readonly name: string;
  readonly digest: { readonly sha256: string };
}

/** Result of judging the embedded platform: unfaulted, and with each of its faults. */
export interface SelfCheck {
  /** Digest of the program that checked itself. */
  readonly tool: string;
  /** True where nothing was found without a fault. */
  readonly clean: boolean;
  readonly faults: number;
  readonly caught: number;
  /** Ids of the faults that were not caught by their clause. */
  readonly missed: readonly string[];
}

export interface Predicate {
  readonly verdict: CertificateVerdict;
  /** The verdict in one plain sentence. */
  readonly sentence: string;
  /** Why there is no verdict, or what it does not cover; may be empty. */
  readonly remarks: readonly string[];
  /** Who answers for it; absent where the configuration does not say. */
  readonly issuer?: string;
  /** Revision that was judged, as git or the pipeline names it; absent where neither does. */
  readonly revision?: Revision;
  readonly tool: { readonly name: 'assay'; readonly version: string; readonly digest: string };
  readonly node: string;
  /** null where no load was judged. */
  readonly k6: string | null;
  /** `digest` is over all clauses that Assay knows; `stated`: which contract states them, absent in older certificates. */
  readonly contract: {
    readonly digest: string;
    readonly clauses: number;
    readonly stated?: NonNullable<Report['contract']>;
  };
  readonly descriptions: readonly {
    readonly service: string;
    readonly file: string;
    readonly sha256: string;
    readonly version: string | null;
  }[];
  /** Services that the certificate does not speak of: no description of them is there. */
  readonly pending: readonly string[];
  readonly target: { readonly baseUrl: string; readonly environment: string };
  readonly run: {
    readonly id: string;
    readonly startedAt: string;
    readonly durationMs: number;
    readonly seed: number;
    readonly requests: number;
    readonly operations: number;
    readonly operationsTested: number;
  };
  /** Every clause of the contract whose subject is there, in the contract's order. */
  readonly clauses: readonly ClauseRow[];
  /** Clauses whose subject is not there: neither passed nor failed. */
  readonly outOfScope: readonly { readonly id: string; readonly reason: string }[];
  /** Must clauses that were not tested, and why the configuration accepts that. */
  readonly untested: readonly { readonly id: string; readonly reason: string }[];
  readonly waivers: readonly WaiverRow[];
  /** How many planted defects the run would have noticed; absent where that was not asked. */
  readonly sensitivity?: Pick<Sensitivity, 'planted' | 'caught' | 'families'>;
  /** null where the tool did not check itself. */
  readonly selfCheck: SelfCheck | null;
  /** Every file of the run's folder but the certificate itself. */
  readonly evidence: readonly Digested[];
  /** SHA-256 of the statement with an empty seal: a changed byte shows without a signature, a forger needs the key. */
  readonly seal: string;
}

export interface Statement {
  readonly _type: typeof STATEMENT_TYPE;
  /** The release artefact; without one the descriptions. */
  readonly subject: readonly Digested[];
  readonly predicateType: typeof PREDICATE_TYPE;
  readonly predicate: Predicate;
}

/** The certificate's bytes: there is one way to write a statement, so that any changed byte is seen. */
export function serialised(statement: Statement): string {
  return `${JSON.stringify(statement, null, 2)}\n`;
}

/** The statement with its seal. */
export function sealed(statement: Statement): Statement {
  const open = { ...statement, predicate: { ...statement.predicate, seal: '' } };
  const seal = createHash('sha256').update(serialised(open)).digest('hex');
  return { ...open, predicate: { ...open.predicate, seal } };
}
