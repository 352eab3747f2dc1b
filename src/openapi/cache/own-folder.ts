// Files that are read back from a folder are only to be trusted where nobody else can have written them.
import { lstat, mkdir } from 'node:fs/promises';

/**
 * Tells whether the folder is this user's and closed to all others; it is made where it is missing. On Windows, which
 * has no such modes, the user's profile is what protects it.
 */
export async function ownFolder(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const found = await lstat(folder);
    const isPrivate = found.isDirectory() && (found.mode & 0o077) === 0;
    return process.getuid === undefined || (isPrivate && found.uid === process.getuid());
  } catch {
    // A folder that cannot be looked at is not trusted.
    return false;
  }
}
