// A private certificate authority, made for a test: certificates for servers and clients, good ones and bad ones.
import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import {
  BasicConstraintsExtension,
  cryptoProvider,
  ExtendedKeyUsageExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';

cryptoProvider.set(globalThis.crypto);
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const [SERVER, CLIENT] = ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'];
const YEAR_MS = 365 * 86_400_000;

/** PEM texts. */
export interface Issued {
  readonly cert: string;
  readonly key: string;
}

export interface Subject {
  /** DNS names, or IP addresses. */
  readonly names: readonly string[];
  readonly hasExpired?: boolean;
}

export interface Authority {
  /** Its own certificate, PEM. */
  readonly ca: string;
  issue(subject: Subject): Promise<Issued>;
}

export async function newAuthority(name = 'a private authority'): Promise<Authority> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const own = await X509CertificateGenerator.createSelfSigned({
    ...{ name: `CN=${name}`, keys, signingAlgorithm: ALGORITHM, ...validity(false) },
    extensions: [new BasicConstraintsExtension(true, 1, true)],
  });
  return { ca: own.toString('pem'), issue: (subject) => issued(subject, own, keys) };
}

async function issued(
  { names, hasExpired = false }: Subject,
  issuer: X509Certificate,
  { privateKey }: webcrypto.CryptoKeyPair,
): Promise<Issued> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const [first = ''] = names;
  const certificate = await X509CertificateGenerator.create({
    ...{ subject: `CN=${first}`, issuer: issuer.subject, publicKey: keys.publicKey, signingKey: privateKey },
    ...{ signingAlgorithm: ALGORITHM, ...validity(hasExpired) },
    extensions: [
      new SubjectAlternativeNameExtension(
        names.map((value) => ({ type: /^[\d.]+$|:/.test(value) ? ('ip' as const) : ('dns' as const), value })),
      ),
      new ExtendedKeyUsageExtension([SERVER, CLIENT]),
    ],
  });
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return { cert: certificate.toString('pem'), key: PemConverter.encode(key, 'PRIVATE KEY') };
}

function validity(hasExpired: boolean): { readonly notBefore: Date; readonly notAfter: Date } {
  const nowMs = Date.now();
  const notAfter = new Date(hasExpired ? nowMs - 86_400_000 : nowMs + YEAR_MS);
  return { notBefore: new Date(nowMs - YEAR_MS), notAfter };
}
