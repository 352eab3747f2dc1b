// The TLS of a target as a configuration states it: PEM texts, or files that hold them, looked at before anything is sent.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { ConfigProblem } from './errors.ts';

/** The certificates and the name that a connection to the target needs beside its address. All texts are PEM. */
export interface TlsConfig {
  /** Authorities that are trusted beside those that Node trusts; null: none. */
  readonly ca: string | null;
  /** The client certificate with its chain, and its key; both or neither is null. */
  readonly cert: string | null;
  readonly key: string | null;
  /** The name that the server's certificate must be for, and that it is asked by; null: the host of the address. */
  readonly serverName: string | null;
}

/** As the file states it. */
export interface TlsDocument {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly serverName?: string;
}

type Part = 'ca' | 'cert' | 'key';

const LOOKS: Readonly<Record<Part, (pem: string) => unknown>> = {
  ca: (pem) => certificatesIn(pem).map((one) => new X509Certificate(one)),
  cert: (pem) => new X509Certificate(pem),
  key: (pem) => createPrivateKey(pem),
};
const WANTED: Readonly<Record<Part, string>> = {
  ca: 'certificates in PEM, or a file that holds them',
  cert: 'a certificate in PEM, or a file that holds one',
  key: 'a private key in PEM without a passphrase, or a file that holds one',
};

/** The PEM texts, read from the files beside `file` where they are no texts; and whatever is wrong with them. */
export function readTls(
  stated: TlsDocument,
  file: string,
): { readonly tls: TlsConfig; readonly problems: readonly ConfigProblem[] } {
  const problems: ConfigProblem[] = [];
  const read = (part: Part): string | null => {
    const text = stated[part];
    if (text === undefined) return null;
    const { pem, why } = pemOf(text, dirname(file), LOOKS[part]);
    if (why !== null) problems.push(problem(part, `expected ${WANTED[part]}; ${why}`));
    return pem;
  };
  const [ca, cert, key] = [read('ca'), read('cert'), read('key')];
  if ((stated.cert === undefined) !== (stated.key === undefined)) {
    const [missing, given] = stated.cert === undefined ? (['cert', 'key'] as const) : (['key', 'cert'] as const);
    problems.push(problem(missing, `is missing; expected ${WANTED[missing]}, which ${given} needs`));
  }
  if (problems.length === 0 && cert !== null && key !== null && !belongs(cert, key))
    problems.push(problem('key', 'expected the private key of the certificate in cert, found another'));
  return { tls: { ca, cert, key, serverName: stated.serverName ?? null }, problems };
}

/** A private key without the lines that every such file has: as a secret it is looked for in what is written. */
export function keyAsSecret(pem: string): string {
  return pem.replaceAll(/-----[^-]+-----|\s/g, '');
}

function certificatesIn(pem: string): readonly string[] {
  const found = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  if (found === null) throw new Error('there is none');
  return found;
}

/** Never quotes a text: it may be a key. */
function pemOf(
  text: string,
  folder: string,
  look: (pem: string) => unknown,
): { readonly pem: string; readonly why: string | null } {
  const isText = /-----BEGIN /.test(text);
  let pem = text;
  try {
    if (!isText) pem = readFileSync(resolve(folder, text), 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const how = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
    return {
      pem: '',
      why: text.length > 200 || /\s/.test(text) ? 'what is stated is neither' : `${resolve(folder, text)} ${how}`,
    };
  }
  try {
    look(pem);
    return { pem, why: null };
  } catch {
    // This says more than OpenSSL's own words, which name the position of a wrong byte.
    return { pem: '', why: isText ? 'the text is not one' : `the file ${resolve(folder, text)} has none` };
  }
}

function belongs(cert: string, key: string): boolean {
  return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
}

function problem(part: Part, message: string): ConfigProblem {
  return { code: 'ASSAY_CONFIG_VALUE_INVALID', key: `target.tls.${part}`, message };
}
