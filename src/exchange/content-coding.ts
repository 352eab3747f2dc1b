// Bodies that come compressed although nothing was offered. Source: RFC 9110 section 8.4.
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

/** The body without its content coding, at most `byteLimit` bytes; as received where the coding is unknown or the data are not what it says. */
export function decoded(body: Buffer, contentEncoding: string | null, byteLimit: number): Buffer {
  if (contentEncoding === null || body.length === 0) return body;
  const options = { maxOutputLength: byteLimit };
  try {
    switch (contentEncoding.trim().toLowerCase()) {
      case 'gzip':
      case 'x-gzip':
        return gunzipSync(body, options);
      case 'deflate':
        return inflateSync(body, options);
      case 'br':
        return brotliDecompressSync(body, options);
      default:
        return body;
    }
  } catch {
    return body;
  }
}
