// A tar file as its entries and back: as much of the format (POSIX ustar, with the extended names of pax) as k6's archives
// use. Pure. No folders: k6 asks for none.

/** A file, or a second name of one. */
export interface TarEntry {
  readonly name: string;
  readonly data: Buffer;
  /** The entry that this is another name of; null: it is a file. */
  readonly link: string | null;
}

const BLOCK = 512;
/** Octal digits of a field, but its last byte. */
const [SIZE_AT, SIZE_DIGITS] = [124, 11];
const NAME_CHARS = 100;

/** The files of an archive in their order. Throws where it ends within one. */
export function entriesIn(archive: Buffer): readonly TarEntry[] {
  const entries: TarEntry[] = [];
  let extended: Readonly<Record<string, string>> = {};
  for (let at = 0; at + BLOCK <= archive.length && archive[at] !== 0; ) {
    const header = archive.subarray(at, at + BLOCK);
    const size = Number.parseInt(textAt(header, SIZE_AT, SIZE_DIGITS), 8);
    const data = archive.subarray(at + BLOCK, at + BLOCK + size);
    if (data.length < size) throw new Error('the archive ends within a file');
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    const kind = textAt(header, 156, 1);
    if (kind === 'x') {
      extended = recordsIn(data.toString('utf8'));
      continue;
    }
    const prefix = textAt(header, 345, 155);
    const name = extended.path ?? (prefix === '' ? '' : `${prefix}/`) + textAt(header, 0, NAME_CHARS);
    const link = extended.linkpath ?? textAt(header, 157, NAME_CHARS);
    extended = {};
    if (kind === '1') entries.push({ name, data, link });
    else if (kind === '0' || kind === '') entries.push({ name, data, link: null });
  }
  return entries;
}

/** An archive of the entries: nobody's, of no time, so that the same entries are the same bytes. Names are ASCII of at most 100. */
export function tarOf(entries: readonly TarEntry[]): Buffer {
  const blocks = entries.flatMap(({ name, data, link }) => [
    headerOf(name, link, data.length),
    data,
    Buffer.alloc((BLOCK - (data.length % BLOCK)) % BLOCK),
  ]);
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

function headerOf(name: string, link: string | null, size: number): Buffer {
  if (name.length > NAME_CHARS) throw new Error(`a name in the archive is too long: ${name}`);
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, '0')}\0`;
  header.write(name, 0);
  header.write(octal(0o644, 7), 100);
  header.write(octal(0, 7), 108);
  header.write(octal(0, 7), 116);
  header.write(octal(size, SIZE_DIGITS), SIZE_AT);
  header.write(octal(0, 11), 136);
  header.write(link === null ? '0' : '1', 156);
  header.write(link ?? '', 157);
  header.write('ustar\x0000', 257);
  // The sum is taken with blanks in its own place.
  header.write(' '.repeat(8), 148);
  header.write(
    `${octal(
      header.reduce((total, byte) => total + byte, 0),
      6,
    )} `,
    148,
  );
  return header;
}

function textAt(block: Buffer, at: number, length: number): string {
  const field = block.subarray(at, at + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end === -1 ? length : end).trim();
}

/** Records of the form "length name=value". */
function recordsIn(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...text.matchAll(/^\d+ ([^=\n]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  );
}
