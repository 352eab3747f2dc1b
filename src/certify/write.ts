// Writes the certificate into a run's folder, with its page: the evidence is digested as it stands there.
import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { CLAUSES } from '../contract/clauses.ts';
import type { Report } from '../contract/report.ts';
import { writeWhole } from '../disk/whole-file.ts';
import { decide, type Facts } from './decide.ts';
import { certificatePage } from './page.ts';
import { keyIdOfPrivate, signed } from './sign.ts';
import {
  CERTIFICATE_FILE,
  CONFIGURATION_FILE,
  type Digested,
  ENVELOPE_FILE,
  PAGE_FILE,
  PREDICATE_TYPE,
  type Predicate,
  SELF_CHECK_FILE,
  STATEMENT_TYPE,
  type Statement,
  sealed,
  serialised,
} from './statement.ts';

export interface CertificateRequest extends Facts {
  /** Folder that holds the run's reports. */
  readonly folder: string;
  /** Files of the release artefact; none: the subject is the descriptions. */
  readonly subject: readonly string[];
  /** The configuration without its secrets, as it is kept. */
  readonly configuration: unknown;
  /** Who answers for the certificate, as the configuration says; null: it does not. */
  readonly issuer: string | null;
  /** SHA-256 of the program. */
  readonly toolDigest: string;
  readonly k6: string | null;
  /** Ed25519 private key in PEM; null: the certificate is not signed. */
  readonly key: string | null;
}

/** Files of the certificate itself: no part of its evidence. */
const OWN_FILES: readonly string[] = [CERTIFICATE_FILE, ENVELOPE_FILE];

/** Removes the certificate of an earlier run from the folder: were this run killed, it would stand beside other evidence. */
export async function removeCertificate(folder: string): Promise<void> {
  for (const name of [...OWN_FILES, PAGE_FILE]) await rm(join(folder, name), { force: true }).catch(() => {});
}

/**
 * Writes certificate.json, its page, and its envelope where there is a key. Throws where a file cannot be read or written;
 * then no part of the certificate is left, for a page without its statement looks like a certificate.
 */
export async function writeCertificate(request: CertificateRequest): Promise<Statement> {
  try {
    return await written(request);
  } catch (error) {
    await removeCertificate(request.folder);
    throw error;
  }
}

async function written(request: CertificateRequest): Promise<Statement> {
  const { folder, key } = request;
  await writeWhole(join(folder, CONFIGURATION_FILE), `${JSON.stringify(request.configuration, null, 2)}\n`);
  await writeWhole(join(folder, SELF_CHECK_FILE), `${JSON.stringify(request.selfCheck, null, 2)}\n`);
  const subject = await subjectOf(request);
  const predicate = predicateOf(request);
  await writeWhole(
    join(folder, PAGE_FILE),
    certificatePage({
      predicate,
      report: request.report,
      subject,
      bound: request.subject.length > 0,
      keyId: key === null ? null : keyIdOfPrivate(key),
    }),
  );
  const names = (await filesBelow(folder)).filter((name) => !OWN_FILES.includes(name));
  const evidence = await Promise.all(names.map((name) => digested(join(folder, name), name)));
  const statement = sealed({
    _type: STATEMENT_TYPE,
    subject,
    predicateType: PREDICATE_TYPE,
    predicate: { ...predicate, evidence },
  });
  const text = serialised(statement);
  await writeWhole(join(folder, CERTIFICATE_FILE), text);
  if (key !== null) await writeWhole(join(folder, ENVELOPE_FILE), `${JSON.stringify(signed(text, key), null, 2)}\n`);
  return statement;
}

/** Collects the facts that the certificate states. */
export function predicateOf(
  request: Pick<CertificateRequest, 'report' | 'toolDigest' | 'k6' | 'selfCheck' | 'issuer' | 'accept'>,
): Predicate {
  const { report, toolDigest, k6, selfCheck, issuer } = request;
  const { run, counts, target, tool, sensitivity } = report;
  const { id, startedAt, durationMs, seed } = run;
  const { requests, operations, operationsTested } = counts;
  return {
    ...decide(request),
    ...(issuer === null ? {} : { issuer }),
    ...(run.revision === undefined ? {} : { revision: run.revision }),
    tool: { ...tool, digest: toolDigest },
    node: process.version,
    k6,
    contract: {
      ...{ digest: sha256(JSON.stringify(CLAUSES)), clauses: CLAUSES.length },
      ...(report.contract === undefined ? {} : { stated: report.contract }),
    },
    descriptions: descriptionsOf(report),
    target: { baseUrl: target.baseUrl, environment: target.environment },
    run: { id, startedAt, durationMs, seed, requests, operations, operationsTested },
    ...(sensitivity === undefined
      ? {}
      : {
          sensitivity: {
            planted: sensitivity.planted,
            caught: sensitivity.caught,
            families: sensitivity.families,
          },
        }),
    selfCheck,
    evidence: [],
    seal: '',
  };
}

function descriptionsOf({ services }: Report): Predicate['descriptions'] {
  return services.flatMap(({ name, spec, digest, version }) =>
    spec === null || digest === undefined ? [] : [{ service: name, file: spec, sha256: digest, version }],
  );
}

/** Paths from the folder, with "/", in order. */
async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

async function subjectOf({ subject, report }: CertificateRequest): Promise<readonly Digested[]> {
  if (subject.length > 0) return Promise.all(subject.map((path) => digested(path)));
  return descriptionsOf(report).map(({ file, sha256: digest }) => ({ name: file, digest: { sha256: digest } }));
}

async function digested(path: string, name = basename(path)): Promise<Digested> {
  return { name, digest: { sha256: sha256(await readFile(path)) } };
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
