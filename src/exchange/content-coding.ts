// Bodies that come compressed although nothing was offered. Source: RFC 9110 section 8.4.
import { brotliDecompressSync, gunzipSync, inflateSync, type ZlibOptions, zstdDecompressSync } from 'node:zlib';

/** More codings than these on one body are no way to send it. */
const MAX_CODINGS = 4;

type Decode = (body: Buffer, options: Pick<ZlibOptions, 'maxOutputLength'>) => Buffer;

const DECODERS: Readonly<Record<string, Decode>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
  identity: (body) => body,
};

export interface Decoded {
  readonly bytes: Buffer;
  /** True where there is more than the limit allows: then `bytes` is empty. */
  readonly isTooLong: boolean;
  /** Set where the bytes are as received, for they are not what a known coding makes. */
  readonly isMiscoded?: true;
}

/** The body without its content codings; as received where one is unknown, or the data are not what it says. */
export function decoded(body: Buffer, contentEncoding: string | null, byteLimit: number): Decoded {
  const received = { bytes: body, isTooLong: false };
  const codings = (contentEncoding ?? '')
    .toLowerCase()
    .split(',', MAX_CODINGS + 1)
    .filter((name) => name.trim() !== '');
  if (body.length === 0 || codings.length > MAX_CODINGS) return received;
  try {
    return {
      bytes: codings.reduceRight((bytes, name) => decode(bytes, name.trim(), byteLimit), body),
      isTooLong: false,
    };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') return { bytes: Buffer.alloc(0), isTooLong: true };
    return code === undefined ? received : { ...received, isMiscoded: true };
  }
}

function decode(body: Buffer, name: string, maxOutputLength: number): Buffer {
  const decoder = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
  if (decoder === undefined) throw new Error(`content coding ${name} is not known`);
  return decoder(body, { maxOutputLength });
}
