// TLS to the target: whom it is believed, what the client shows of itself, and in plain words why a connection was refused.
// There is no way to leave verification out: not here, and not by NODE_TLS_REJECT_UNAUTHORIZED.
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import type { TlsConfig } from '../config/tls.ts';

/** Options of a TLS connection, as node:tls has them. */
export interface TlsSettings {
  readonly rejectUnauthorized: true;
  readonly secureContext?: SecureContext;
  readonly servername?: string;
}

/** The settings of all connections to a target; its authorities are parsed once. */
export function tlsSettings(tls: TlsConfig | undefined): TlsSettings {
  if (tls === undefined) return { rejectUnauthorized: true };
  const { ca, cert, key, serverName } = tls;
  const secureContext = createSecureContext({
    ...(ca === null ? {} : { ca: trusted(ca) }),
    ...(cert === null || key === null ? {} : { cert, key }),
  });
  return { rejectUnauthorized: true, secureContext, ...(serverName === null ? {} : { servername: serverName }) };
}

/** The authorities that Node trusts, and those of the target. */
export function trusted(ca: string): string[] {
  return [...getCACertificates('default'), ca];
}

const UNKNOWN_AUTHORITY = 'is signed by an authority that is not trusted here: name that authority in target.tls.ca';
const WANTS_CERTIFICATE = 'does not accept the client: target.tls.cert and key name a client certificate';

/** Reasons by node:tls' and OpenSSL's codes; each goes on from "the TLS certificate of HOST". */
const OF_CERTIFICATE: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'has expired: it must be renewed on the server',
  CERT_NOT_YET_VALID: 'is not valid yet: compare the clocks of both machines',
  CERT_REVOKED: 'was revoked: it must be renewed on the server',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  CERT_UNTRUSTED: UNKNOWN_AUTHORITY,
  INVALID_CA: 'is signed by a certificate that is no authority: its chain must be corrected on the server',
  CERT_SIGNATURE_FAILURE: 'has a signature that is wrong: it must be replaced on the server',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another name: correct the address, or state the name in target.tls.serverName',
};
/** Each goes on from the host. */
const OF_HOST: Readonly<Record<string, string>> = {
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: WANTS_CERTIFICATE,
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: WANTS_CERTIFICATE,
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: WANTS_CERTIFICATE,
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA:
    'does not trust the client certificate of target.tls.cert: it is signed by another authority',
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: 'says that the client certificate of target.tls.cert has expired: renew it',
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_REVOKED: 'says that the client certificate of target.tls.cert was revoked: renew it',
  ERR_SSL_WRONG_VERSION_NUMBER: 'does not speak TLS there: is its address http://…?',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'speaks only versions of TLS that are no longer safe',
};

/** Flaw in the TLS of the host, and its remedy; null for an error that is not of TLS. */
export function tlsFailure(error: Error, host: string): string | null {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const wrong = OF_CERTIFICATE[code];
  if (wrong !== undefined) return `the TLS certificate of ${host} ${wrong} (${code})`;
  const refused = OF_HOST[code];
  if (refused !== undefined) return `${host} ${refused} (${code})`;
  return code.startsWith('ERR_SSL_') ? `the TLS handshake with ${host} failed (${code})` : null;
}
