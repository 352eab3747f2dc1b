// `npm run audit`: asks the registry which of the locked packages have known weaknesses, by `npm audit`. Any finding fails.
// A registry that does not answer, or has no such service, is told and fails nothing: nothing is known then.
import { execFile } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** `failed`: npm itself could not do it, for want of a lock file, say. */
export interface Audit {
  readonly outcome: 'clean' | 'found' | 'unreachable' | 'failed';
  /** For people: what was found, or why nothing is known. */
  readonly lines: readonly string[];
}

/** The part of a vulnerability that is told; what stands in `via` as a text is the name of another one. */
interface Vulnerability {
  readonly name: string;
  readonly severity: string;
  readonly range: string;
  readonly via: readonly (string | { readonly title: string; readonly url: string })[];
}

/** Judges the text that `npm audit --json` prints. */
export function judgeAudit(text: string): Audit {
  const told = parsed(text);
  const { total: known } = told.metadata?.vulnerabilities ?? {};
  const { total: packages } = told.metadata?.dependencies ?? {};
  if (known === 0 && packages > 0) {
    return { outcome: 'clean', lines: [`${packages} packages, no known weakness`] };
  }
  if (known > 0) return { outcome: 'found', lines: Object.values<Vulnerability>(told.vulnerabilities).map(toldLine) };
  if (typeof told.message === 'string') {
    return { outcome: 'unreachable', lines: [`not audited, for the registry gave no answer: ${told.message}`] };
  }
  return {
    outcome: 'failed',
    lines: [`npm audit failed: ${told.error?.summary || text.slice(0, 500) || 'it printed nothing'}`],
  };
}

// biome-ignore lint/suspicious/noExplicitAny: npm has no schema of it, and every field is looked at with care
function parsed(text: string): any {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

function toldLine({ name, severity, range, via }: Vulnerability): string {
  const causes = via.map((cause) => (typeof cause === 'string' ? `by ${cause}` : `${cause.title} (${cause.url})`));
  return `${name} ${range}: ${severity}: ${causes.join('; ')}`;
}

/** Audits what the lock file of this repository holds, development's packages included. `options` are npm's own. */
export function audit(options: readonly string[]): Promise<Audit> {
  const args = ['audit', '--json', '--package-lock-only', '--fetch-retries=1', ...options];
  return new Promise((resolve) => {
    // Its exit code is 1 with findings and without an answer alike: what it prints tells which.
    execFile('npm', args, { cwd: ROOT, maxBuffer: 2 ** 26 }, (_error, stdout) => resolve(judgeAudit(stdout)));
  });
}

if (import.meta.main) {
  const { outcome, lines } = await audit(process.argv.slice(2));
  for (const line of lines) console.log(line);
  process.exitCode = outcome === 'found' || outcome === 'failed' ? 1 : 0;
}
