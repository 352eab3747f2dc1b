// Keeps loaded descriptions on disk by the digest of the text that was read and of the tool that read it. An entry is
// taken only whole (its own digest is checked), only while every file that it was made of is unchanged, and only from a
// folder that nobody else can write to; anything else is as if there were no entry. Runs may share a folder: an entry
// appears by a rename, complete or not at all.
import { hash } from 'node:crypto';
import { readFileSync, utimesSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../clock/system.ts';
import { writeWhole } from '../../disk/whole-file.ts';
import type { Checked } from '../read/checked.ts';
import type { Source, Sources } from '../read/source.ts';
import { ownFolder } from './own-folder.ts';

/** Entries kept, the latest used: one is as large as its description. */
const MAX_ENTRIES = 32;
const DIGEST_CHARACTERS = 64;

export class DescriptionCache {
  private readonly folder: string;
  private readonly maker: string;
  private ownership: Promise<boolean> | null = null;

  /** `version` is that of the program: another one makes its own entries. `folder` is made where it is missing. */
  constructor(folder: string, version: string) {
    this.folder = join(folder, 'descriptions');
    this.maker = version;
  }

  /** Key of an entry: all that its content depends on but the files referred to. */
  async keyOf({ location, digest }: Source, remoteRefs: readonly string[]): Promise<string> {
    const isJson = /\.json$/i.test(new URL(location).pathname);
    const facts = [this.maker, process.version, await codeDigest(), isJson, digest, [...remoteRefs].sort()];
    return sha256(JSON.stringify(facts));
  }

  /** The entry, if it is there, whole, and still what reading anew would make. */
  async find(key: string, root: Source, sources: Sources): Promise<Checked | null> {
    if (!(await this.isOwn())) return null;
    try {
      const checked = JSON.parse(this.read(`${key}.json`).toString('utf8')) as Checked;
      for (const { location, digest } of checked.files.slice(1)) {
        if ((await sources.referred(location)).digest !== digest) return null;
      }
      return moved(checked, root);
    } catch {
      // An entry that cannot be read is as good as none: the description is read anew.
      return null;
    }
  }

  /** Keeps an entry, unless files were missing that may be there next time. A folder that cannot be written to keeps none. */
  async keep(key: string, checked: Checked): Promise<void> {
    if (checked.complete && (await this.isOwn())) await this.write(`${key}.json`, JSON.stringify(checked));
  }

  /** Content behind the digest. Throws where it has another one, or nothing is there. */
  private read(name: string): Buffer {
    const path = join(this.folder, name);
    const bytes = readFileSync(path);
    const body = bytes.subarray(DIGEST_CHARACTERS);
    if (sha256(body) !== bytes.toString('latin1', 0, DIGEST_CHARACTERS)) throw new Error(`${name} is not whole`);
    const now = new Date(systemClock.now());
    utimesSync(path, now, now);
    return body;
  }

  private async write(name: string, body: string): Promise<void> {
    try {
      // For its user alone.
      await writeWhole(join(this.folder, name), sha256(body) + body, { mode: 0o600 });
      await this.prune();
    } catch {
      // An entry that cannot be kept is made anew each time.
    }
  }

  /** Tells whether the folder is this user's and closed to others: what it holds is this user's then. Asked once. */
  private isOwn(): Promise<boolean> {
    this.ownership ??= ownFolder(this.folder);
    return this.ownership;
  }

  /** Removes the entries that were not used for longest, and what an interrupted run left half written. */
  private async prune(): Promise<void> {
    const names = (await readdir(this.folder)).filter((name) => /^[0-9a-f-]+\.(json|code|tmp)$/.test(name));
    if (names.length <= MAX_ENTRIES) return;
    const used = await Promise.all(
      names.map(async (name) => ({ name, at: (await stat(join(this.folder, name))).mtimeMs })),
    );
    const stale = used.sort((a, b) => b.at - a.at).slice(MAX_ENTRIES);
    await Promise.all(stale.map(({ name }) => rm(join(this.folder, name), { force: true })));
  }
}

/** The same for a description that lies elsewhere now; null where what it says may depend on that. */
function moved(checked: Checked, { name, location }: Source): Checked | null {
  const [root, ...others] = checked.files;
  if (root === undefined || (root.location === location && root.name === name)) return checked;
  if (!checked.standsAlone) return null;
  const problems = checked.problems.map((problem) => ({ ...problem, file: name }));
  return { ...checked, problems, files: [{ ...root, name, location }, ...others] };
}

function sha256(content: string | Uint8Array): string {
  return hash('sha256', content, 'hex');
}

let code: Promise<string> | null = null;

/** The digest of the code of this room: in a working copy it changes while the version stays. */
function codeDigest(): Promise<string> {
  code ??= readCode();
  return code;
}

const ROOM = join(import.meta.dirname, '..');

async function readCode(): Promise<string> {
  const names = (await readdir(ROOM, { recursive: true })).filter((name) => /\.[jt]s$/.test(name)).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(ROOM, name), 'utf8')));
  return sha256(JSON.stringify([names, texts]));
}
