// Finds the values that may be signatures in the headers of a delivery, or in its query: hexadecimal and base64 runs,
// whatever stands before, between and after them. Platforms write `sha256=…`, `t=…,v1=…,v1=…`, `v1,… v1,…`,
// `1/SHA256/…` and more; none of it need be known.
import { type Delivery, queryOf } from '../../exchange/delivery.ts';
import { isOrdinary } from './ordinary-headers.ts';

/** Some platforms write the digest in hexadecimal, and that text in base64. */
export type Encoding = 'hex' | 'base64' | 'base64 of hex';

export interface SignatureValue {
  /** In lower case; "?signature" is the member of that name in the query. */
  readonly header: string;
  /** The word before it: "v1" of `v1=…`; empty where there is none. */
  readonly label: string;
  readonly encoding: Encoding;
  readonly bytes: Buffer;
  /** As it stands in the header. */
  readonly text: string;
}

const LONGEST_HEADER = 16 * 1024;
const MOST_VALUES = 100;
/** Fewer bytes are an id or a number rather than a signature that was cut. */
const FEWEST_BYTES = 8;
const MOST_BYTES = 64;
/** Characters of base64 for 32 bytes, without padding. */
const WHOLE_BASE64 = 43;

const HEX = /(?<![0-9A-Za-z])(?:0x)?((?:[0-9a-f]{2})+)(?![0-9A-Za-z])/gi;
const BASE64 = /[A-Za-z0-9+/_-]+={0,2}/g;
const HEX_ALONE = /^(?:[0-9a-f]{2})+$/i;
/** Characters of base64 for the eight bytes of a short digest in hexadecimal. */
const SHORTEST_BASE64_OF_HEX = 22;
const LABEL = /([A-Za-z][A-Za-z0-9_-]{0,19})["']?[=:,]["'\s]*$/;

/** All values of 8 to 64 bytes, in the order of the headers, those of the query last; at most 100. */
export function signatureValues({ headers, path }: Pick<Delivery, 'headers' | 'path'>): readonly SignatureValue[] {
  const found: SignatureValue[] = [];
  for (const [header, value] of [...headers, ...queryOf({ path })]) {
    if (isOrdinary(header) || value.length > LONGEST_HEADER) continue;
    for (const one of [...hexValues(value), ...base64Values(value)]) {
      if (found.length >= MOST_VALUES) return found;
      if (one.bytes.length >= FEWEST_BYTES && one.bytes.length <= MOST_BYTES) found.push({ header, ...one });
    }
  }
  return found;
}

type Value = Omit<SignatureValue, 'header'>;

function* hexValues(text: string): Generator<Value> {
  for (const match of text.matchAll(HEX)) {
    const [whole, run = whole] = match;
    yield { label: labelBefore(text, match.index), encoding: 'hex', bytes: Buffer.from(run, 'hex'), text: run };
  }
}

function* base64Values(text: string): Generator<Value> {
  for (const match of text.matchAll(BASE64)) {
    const [run] = match;
    const core = run.replace(/=+$/, '');
    // A longer run has a prefix that base64 admits as well: "1/SHA256/…", "sha256-…".
    const end = core.length > WHOLE_BASE64 ? run.slice(core.length - WHOLE_BASE64) : null;
    for (const part of end === null ? [run] : [run, end]) {
      const at = match.index + run.length - part.length;
      const value = { label: labelBefore(text, at), text: part };
      yield { ...value, encoding: 'base64', bytes: Buffer.from(part, 'base64url') };
    }
    const written = core.length >= SHORTEST_BASE64_OF_HEX ? Buffer.from(run, 'base64').toString('latin1') : '';
    if (HEX_ALONE.test(written)) {
      const value = { label: labelBefore(text, match.index), text: run };
      yield { ...value, encoding: 'base64 of hex', bytes: Buffer.from(written, 'hex') };
    }
  }
}

function labelBefore(text: string, at: number): string {
  return LABEL.exec(text.slice(Math.max(0, at - 30), at))?.[1] ?? '';
}
