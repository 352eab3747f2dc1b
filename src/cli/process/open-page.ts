// Opens a page in the browser of whoever sits at the terminal: `--open`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** The program that opens a file as the desktop does, and its arguments. */
export function openerOf(platform: NodeJS.Platform, file: string): readonly [program: string, ...args: string[]] {
  if (platform === 'darwin') return ['open', file];
  if (platform === 'win32') return ['explorer.exe', file];
  return ['xdg-open', file];
}

/** Opens the file; where nothing can open it, `say` is told so. The program goes on by itself. */
export async function openPage(file: string, say: (text: string) => void): Promise<void> {
  const [program, ...args] = openerOf(process.platform, file);
  const child = spawn(program, args, { stdio: 'ignore', detached: true });
  try {
    await once(child, 'spawn');
    child.unref();
  } catch {
    // Only a program that is missing or not executable fails to start.
    say(`assay: --open: ${program} is not there to open a page; open ${file} yourself\n`);
  }
}
