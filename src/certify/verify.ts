// Looks at a certificate and its evidence as somebody who trusts neither: hashes everything again, checks every form, and
// comes to the verdict by itself. Shares nothing with the writer but the statement's form.

import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { CLAUSES } from '../contract/clauses.ts';
import type { Report } from '../contract/report.ts';
import { parsedJson } from '../exchange/decoded.ts';
import { oncePerValue } from '../exchange/once-per.ts';
import { contradictions, recomputed } from './recompute.ts';
import { type Envelope, isSignedBy } from './sign.ts';
import {
  CERTIFICATE_FILE,
  CONFIGURATION_FILE,
  ENVELOPE_FILE,
  SELF_CHECK_FILE,
  type Statement,
  sealed,
  serialised,
} from './statement.ts';

export interface Verification {
  /** Flaws of the certificate, a sentence each; empty: it is what the evidence says. */
  readonly problems: readonly string[];
  /** null where it cannot be read. */
  readonly statement: Statement | null;
  /** True where a signature was checked. */
  readonly signed: boolean;
}

export interface VerifyOptions {
  /** Ed25519 public key in PEM; null: a signature is not asked for. */
  readonly publicKey: string | null;
  /** Files of the release artefact, held against the subject; empty: not looked at. */
  readonly subject: readonly string[];
}

/** Every problem of the package in the folder. Throws nothing for what is in it. */
export async function verifyPackage(folder: string, options: VerifyOptions): Promise<Verification> {
  try {
    return await verified(folder, options);
  } catch (error) {
    // Files are compared by walking them: no run nests anything so deep that the stack does not hold.
    if (!(error instanceof RangeError)) throw error;
    return { problems: ['a file of it is nested too deep to be compared'], statement: null, signed: false };
  }
}

async function verified(folder: string, options: VerifyOptions): Promise<Verification> {
  const odd = await oddEntries(folder);
  if (odd.length > 0) return { problems: odd, statement: null, signed: false };
  const text = await readFile(join(folder, CERTIFICATE_FILE), 'utf8').catch(() => null);
  const statement = text === null ? null : ((parsedJson(text) ?? null) as Statement | null);
  if (text === null || statement === null)
    return { problems: [`${CERTIFICATE_FILE} cannot be read`], statement: null, signed: false };
  const malformed = certificateProblems(statement);
  if (malformed.length > 0) return { problems: malformed, statement: null, signed: false };
  const problems = [
    ...(serialised(statement) === text ? [] : [`${CERTIFICATE_FILE} is not written as the statement that it holds`]),
    ...(sealed(statement).predicate.seal === statement.predicate.seal ? [] : ['the seal is broken']),
    ...(await evidenceProblems(folder, statement)),
    ...(await contentProblems(folder, statement)),
    ...(await subjectProblems(statement, options.subject)),
    ...(await signatureProblems(folder, text, options.publicKey)),
  ];
  return { problems, statement, signed: options.publicKey !== null };
}

/** Links and pipes are not read: they may lead out of the package, and have no end. */
async function oddEntries(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => !entry.isDirectory() && !entry.isFile())
    .map(
      (entry) =>
        `${relative(folder, join(entry.parentPath, entry.name))} is no file of its own: a link, say, or a pipe`,
    );
}

async function evidenceProblems(folder: string, { predicate }: Statement): Promise<readonly string[]> {
  const named = new Map(predicate.evidence.map(({ name, digest }) => [name, digest.sha256]));
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const there = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .filter((name) => name !== CERTIFICATE_FILE && name !== ENVELOPE_FILE);
  const missing = [...named.keys()].filter((name) => !there.includes(name)).map((name) => `${name} is missing`);
  const doubled = named.size === predicate.evidence.length ? [] : ['a file is named twice in the evidence'];
  const wrong = await Promise.all(
    there.map(async (name) => {
      const expected = named.get(name);
      if (expected === undefined) return `${name} is not named in the certificate`;
      const actual = await digestOf(join(folder, name));
      return actual === expected ? null : `${name} has another digest than the certificate says`;
    }),
  );
  return [...missing, ...doubled, ...wrong.filter((problem) => problem !== null)];
}

/** Held against what the evidence itself says. */
async function contentProblems(folder: string, statement: Statement): Promise<readonly string[]> {
  const report = (await jsonOf(join(folder, 'report.json'))) as Report | null;
  if (report === null) return ['report.json cannot be read'];
  const malformed = reportProblemsOf(report);
  if (malformed.length > 0) return malformed;
  const { predicate, subject } = statement;
  const configuration = await jsonOf(join(folder, CONFIGURATION_FILE));
  const selfCheck = await jsonOf(join(folder, SELF_CHECK_FILE));
  const expected = recomputed(report, selfCheck as Parameters<typeof recomputed>[1], configuration);
  const differing = Object.entries(expected)
    .filter(([member, value]) => !isDeepStrictEqual(plain(value), plain(predicate[member as keyof typeof predicate])))
    .map(([member]) => `${member} is not what the evidence says`);
  const contract = createHash('sha256').update(JSON.stringify(CLAUSES)).digest('hex');
  return [
    ...contradictions(report),
    ...differing,
    ...(predicate.contract.digest === contract && predicate.contract.clauses === CLAUSES.length
      ? []
      : ['it was judged against another version of the contract']),
    ...(isDeepStrictEqual(plain(predicate.contract.stated), plain(report.contract))
      ? []
      : ['the contract is not the one that the evidence says']),
    ...(subject.length > 0 ? [] : ['it has no subject']),
  ];
}

async function subjectProblems({ subject }: Statement, files: readonly string[]): Promise<readonly string[]> {
  const problems = await Promise.all(
    files.map(async (file) => {
      const digest = await digestOf(file).catch(() => null);
      if (digest === null) return `${file} cannot be read`;
      const named = subject.find(({ name }) => name === basename(file));
      return named?.digest.sha256 === digest ? null : `${file} is not the subject of the certificate`;
    }),
  );
  return problems.filter((problem) => problem !== null);
}

async function signatureProblems(folder: string, text: string, publicKey: string | null): Promise<readonly string[]> {
  const envelope = (await jsonOf(join(folder, ENVELOPE_FILE))) as Envelope | null;
  if (publicKey === null) {
    if (envelope === null) return [];
    const same = envelope.payload === Buffer.from(text).toString('base64');
    return same ? [] : [`${ENVELOPE_FILE} holds another statement`];
  }
  if (envelope === null) return [`${ENVELOPE_FILE} is missing: the certificate is not signed`];
  try {
    return isSignedBy(envelope, text, publicKey) ? [] : ['the signature is not that of the key'];
  } catch (error) {
    return [`the signature cannot be checked: ${(error as Error).message}`];
  }
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of createReadStream(path)) hash.update(part);
  return hash.digest('hex');
}

async function jsonOf(path: string): Promise<unknown> {
  return parsedJson(await readFile(path, 'utf8').catch(() => '')) ?? null;
}

/** As JSON carries it: members that are undefined are not there. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

/** Complaints of the certificate's schema, a sentence each; empty: none. */
function certificateProblems(value: unknown): readonly string[] {
  return problems('certificate.json', join(import.meta.dirname, 'certificate.schema.json'), value);
}

/** The same for a report. */
function reportProblemsOf(value: unknown): readonly string[] {
  return problems('report.json', join(import.meta.dirname, '..', 'contract', 'report.schema.json'), value);
}

function problems(name: string, schema: string, value: unknown): readonly string[] {
  const validate = compiled(schema);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${name}${instancePath} ${message}`);
}

const compiled = oncePerValue((file: string): ValidateFunction => {
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  addFormats.default(ajv);
  return ajv.compile(JSON.parse(readFileSync(file, 'utf8')));
});
