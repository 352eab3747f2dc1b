// `assay report --verify DIR`: whether a certificate is what its evidence says and, with `--require`, whether that is enough. Authentic and
// passed are two things: a certificate that certifies nothing may be as genuine as any.

import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { WriteStream } from 'node:tty';
import { createColors } from 'picocolors';
import { isPublicKey } from '../../certify/sign.ts';
import { CERTIFICATE_FILE, type CertificateVerdict } from '../../certify/statement.ts';
import { type Verification, verifyPackage } from '../../certify/verify.ts';
import { invalidOption } from '../../config/errors.ts';
import { plural } from '../../contract/numbers.ts';
import { terminalText } from '../../reporters/text.ts';
import type { RunFlags } from '../process/options.ts';
import { humanStream } from '../process/print-result.ts';

export interface VerifyFlags extends Pick<RunFlags, 'quiet' | 'json'> {
  readonly verify?: boolean;
  readonly key?: string;
  readonly subject: readonly string[];
  readonly require?: Required;
}

/** The verdicts that are enough for what `--require` takes. */
const ENOUGH = {
  conforms: ['conforms'],
  'conforms-with-waivers': ['conforms', 'conforms-with-waivers'],
} as const satisfies Readonly<Record<string, readonly CertificateVerdict[]>>;
export type Required = keyof typeof ENOUGH;

/** 0 where certificate and evidence agree, and the verdict is what is required; 3 where there is none, else 1. Throws UsageError unless one folder that exists is named, and for a key that cannot be read. */
export async function verifyCertificate(folders: readonly string[], flags: VerifyFlags): Promise<number> {
  const [folder] = folders;
  if (folder === undefined || folders.length > 1)
    throw invalidOption('--verify looks at one folder', 'assay report --verify reports/<run id>');
  const found = await stat(folder).catch(() => null);
  if (found?.isDirectory() !== true)
    throw invalidOption(`--verify: ${folder} is no folder`, 'name the folder that `assay certify` wrote');
  const publicKey = flags.key === undefined ? null : await keyIn(flags.key);
  if ((await stat(join(folder, CERTIFICATE_FILE)).catch(() => null)) === null)
    throw invalidOption(
      `--verify: there is no certificate in ${folder}`,
      '`assay certify` writes one: assay certify --help',
    );
  const verification = await verifyPackage(folder, {
    publicKey,
    subject: flags.subject,
  });
  const stream = humanStream(flags);
  if (flags.quiet !== true) stream.write(`${inWords(verification, stream, flags.require)}\n`);
  if (flags.json === true) process.stdout.write(`${JSON.stringify(summaryOf(verification))}\n`);
  return exitCodeOf(verification, flags.require);
}

function exitCodeOf({ problems, statement }: Verification, required: Required | undefined): number {
  if (problems.length > 0 || statement === null) return 1;
  const { verdict } = statement.predicate;
  if (required === undefined || isEnough(verdict, required)) return 0;
  return verdict === 'no-verdict' ? 3 : 1;
}

function isEnough(verdict: CertificateVerdict, required: Required): boolean {
  return ENOUGH[required].some((one) => one === verdict);
}

function inWords({ problems, statement, signed }: Verification, stream: WriteStream, required?: Required): string {
  const colors = createColors(stream.isTTY === true && stream.hasColors());
  if (problems.length > 0 || statement === null)
    return [
      colors.bold(colors.red('REFUSED')),
      ...problems.map((problem) => `  ${terminalText(problem)}`),
      'Authentic: no. Its verdict counts for nothing.',
    ].join('\n');
  const { predicate, subject } = statement;
  return [
    `${colors.bold(colors.green('GENUINE'))}  ${terminalText(predicate.sentence)}`,
    `  ${plural(predicate.evidence.length, 'file')} of evidence, ${signed ? 'signed by the key given' : 'no signature asked for'}`,
    ...subject.map(({ name, digest }) => `  ${terminalText(name)}  sha256 ${digest.sha256}`),
    `Authentic: yes. Verdict: ${predicate.verdict}${requiredWords(predicate.verdict, required)}.`,
  ].join('\n');
}

/** Beside the verdict: whether it is enough, or that nobody asked. */
function requiredWords(verdict: CertificateVerdict, required: Required | undefined): string {
  if (required !== undefined) return isEnough(verdict, required) ? `, as required` : `, required: ${required}`;
  return verdict === 'conforms' ? '' : ' (--require conforms would refuse it)';
}

function summaryOf({ problems, statement, signed }: Verification) {
  const verdict = statement?.predicate.verdict ?? null;
  return { genuine: problems.length === 0, verdict, signed, problems, subject: statement?.subject ?? [] };
}

async function keyIn(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw invalidOption(`--key: ${file} cannot be read: ${error.message}`, 'name the public key in PEM');
  });
  if (!isPublicKey(text))
    throw invalidOption(`--key: ${file} is no Ed25519 public key in PEM`, 'name the public key in PEM');
  return text;
}
