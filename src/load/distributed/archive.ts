// The archive that every instance runs: the script, what it imports, and its plan. k6 packs it, without any variable of an
// environment; the folders of this machine, which k6 writes into it, are then put under one that says nothing.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { extract, pack } from 'tar-stream';
import { temporaryFolder } from '../../disk/passing.ts';
import { writeWhole } from '../../disk/whole-file.ts';
import type { ArrivalsPlan } from '../k6/arrivals-plan.ts';
import { scriptPath } from '../k6/measure.ts';
import { OWN_SETTINGS } from '../k6/start.ts';

const SCRIPT = 'arrivals';
const PLAN = 'plan.json';
/** Where everything lies in the archive. */
const HOME = '/assay';
/** Some syntax makes k6 spin for ever when it reads a script. */
const PACKING_MS = 30_000;
const run = promisify(execFile);

/** Bytes of the archive: the same for the same plan. Rejects where k6 does not pack it. */
export async function archiveOf(k6: string, plan: ArrivalsPlan): Promise<Buffer> {
  const { path: folder, remove } = await temporaryFolder('archive');
  try {
    const [planFile, packed] = [join(folder, PLAN), join(folder, 'packed.tar')];
    await writeWhole(planFile, JSON.stringify(plan));
    const options = ['--exclude-env-vars', '-e', `ASSAY_PLAN=${planFile}`, '-O', packed];
    // Nothing of this process's environment: it may hold tokens.
    const limits = { env: OWN_SETTINGS, timeout: PACKING_MS, killSignal: 'SIGKILL' } as const;
    await run(k6, ['archive', ...options, scriptPath(SCRIPT)], limits);
    return await relocated(await readFile(packed), `/${basename(folder)}/${PLAN}`);
  } finally {
    await remove();
  }
}

/** The archive with all files below HOME; `plan` is how the name of the plan's entry ends. Rejects for a file that is neither ours nor the plan. */
export async function relocated(archive: Buffer, plan: string): Promise<Buffer> {
  const entries = await entriesIn(archive);
  const metadata = entries.find(({ name }) => name === 'metadata.json');
  if (metadata === undefined) throw new Error('k6 wrote an archive without metadata');
  const facts: { filename: string; pwd: string; env: unknown } = JSON.parse(metadata.data.toString('utf8'));
  const script = new URL(facts.filename).pathname;
  const [place = '', ours] = /^(.*)(\/suites\/load\/[^/]+)$/.exec(decodeURIComponent(script))?.slice(1) ?? [];
  if (ours === undefined) throw new Error('k6 wrote an archive of another script');
  const placed = (name: string): string => {
    if (name.endsWith(plan)) return `file${HOME}/suites/load/${PLAN}`;
    const root = `file${place}/`;
    if (name.startsWith(root)) return `file${HOME}/${name.slice(root.length)}`;
    if (name.startsWith('file/'))
      throw new Error(`k6 put ${basename(name)} into the archive, which is not the script's`);
    return name;
  };
  const told = { ...facts, filename: `file://${HOME}${ours}`, pwd: `file://${HOME}/suites/load`, env: {} };
  return tarOf(
    entries.map((entry): TarEntry => {
      if (entry === metadata) return { ...entry, data: Buffer.from(JSON.stringify(told, null, 2)) };
      return { ...entry, name: placed(entry.name), link: entry.link === null ? null : placed(entry.link) };
    }),
  );
}

// A tar file as its entries and back, by tar-stream. No folders: k6's archives need none.

/** A file, or a second name of one. */
interface TarEntry {
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
