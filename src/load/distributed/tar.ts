// A tar file as its entries and back, by tar-stream. No folders: k6's archives need none.
import { buffer } from 'node:stream/consumers';
import { extract, pack } from 'tar-stream';

/** A file, or a second name of one. */
export interface TarEntry {
  readonly name: string;
  readonly data: Buffer;
  /** The entry that this is another name of; null: it is a file. */
  readonly link: string | null;
}

/** The files of an archive in their order. Rejects where it ends within one. */
export async function entriesIn(archive: Buffer): Promise<readonly TarEntry[]> {
  const entries: TarEntry[] = [];
  const reading = extract();
  reading.end(archive);
  for await (const entry of reading) {
    const { name, type, linkname } = entry.header;
    const data = await buffer(entry);
    if (type === 'file') entries.push({ name, data, link: null });
    else if (type === 'link') entries.push({ name, data, link: linkname ?? '' });
  }
  return entries;
}

/** An archive of the entries: nobody's, of no time, so that the same entries are the same bytes. */
export async function tarOf(entries: readonly TarEntry[]): Promise<Buffer> {
  const writing = pack();
  const facts = { mode: 0o644, uid: 0, gid: 0, mtime: new Date(0) };
  for (const { name, data, link } of entries) {
    if (link === null) writing.entry({ ...facts, name }, data);
    else writing.entry({ ...facts, name, type: 'link', linkname: link });
  }
  writing.finalize();
  return buffer(writing);
}
