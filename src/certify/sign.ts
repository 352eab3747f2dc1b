// DSSE: the statement in an envelope with an Ed25519 signature, as in-toto's tools read it.
// https://github.com/secure-systems-lab/dsse
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

const PAYLOAD_TYPE = 'application/vnd.in-toto+json';

export interface Envelope {
  readonly payloadType: string;
  /** The statement's bytes, in base64. */
  readonly payload: string;
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
}

/** The envelope of a statement, signed with an Ed25519 private key in PEM. Throws an Error for any other key. */
export function signed(statement: string, privateKey: string): Envelope {
  const key = signingKey(privateKey);
  const sig = sign(null, encoded(PAYLOAD_TYPE, statement), key).toString('base64');
  const keyid = keyIdOfPrivate(privateKey);
  return {
    payloadType: PAYLOAD_TYPE,
    payload: Buffer.from(statement).toString('base64'),
    signatures: [{ keyid, sig }],
  };
}

/** The Ed25519 private key of a PEM. Throws an Error for any other text or key. */
export function signingKey(pem: string): KeyObject {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`the key is ${key.asymmetricKeyType}, expected ed25519`);
  return key;
}

/** Tells whether the text is an Ed25519 public key in PEM. */
export function isPublicKey(pem: string): boolean {
  try {
    return createPublicKey(pem).asymmetricKeyType === 'ed25519';
  } catch {
    // A text that is no key is answered for, whatever OpenSSL says of it.
    return false;
  }
}

/** Tells whether one of the envelope's signatures on this statement is the key's. `publicKey` in PEM. */
export function isSignedBy(envelope: Envelope, statement: string, publicKey: string): boolean {
  if (envelope.payloadType !== PAYLOAD_TYPE) return false;
  if (envelope.payload !== Buffer.from(statement).toString('base64')) return false;
  const key = createPublicKey(publicKey);
  const content = encoded(envelope.payloadType, statement);
  return envelope.signatures.some(({ sig }) => verify(null, content, key, Buffer.from(sig, 'base64')));
}

/** DSSE's pre-authentication encoding: lengths and contents, so that no two pairs read the same. */
function encoded(type: string, content: string): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${bytes.length} `), bytes]);
}

/** The fingerprint of the public half of an Ed25519 private key in PEM: SHA-256 of its DER form, as hex. */
export function keyIdOfPrivate(privateKey: string): string {
  return keyIdOf(createPublicKey(signingKey(privateKey)));
}

function keyIdOf(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex');
}
