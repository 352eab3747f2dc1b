// Messages of the commands beside `conform`, `load` and `report`: their own options, files and ports.
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configured, type HintCase } from './case.ts';

const RIGHT = configured();
const HOOKS = configured('webhooks: { secret: "whsec_x" }', { contract: 'commerce' });
const gone = (folder: string): void => void mkdirSync(join(folder, 'a'));

const MIB = 1024 * 1024;
export const COMMANDS: readonly HintCase[] = [
  { line: 'clauses ERR-99', says: 'the contract has no clause ERR-99', hint: '`assay clauses`' },
  { line: 'init --yes --out a.json', says: '--out: a.json is not YAML', hint: '.yaml' },
  {
    line: 'init --yes',
    files: { 'assay.config.yaml': '' },
    says: 'exists and is left as it is',
    hint: 'assay init --force',
  },
  { line: 'init --yes --out a/b.yaml', code: 3, files: { a: '' }, says: 'a/b.yaml', hint: 'another file with --out' },
  { line: 'platform --fault err-99', says: '--fault: there is no err-99', hint: 'assay platform --list-faults' },
  { line: 'conform --from a', files: RIGHT, says: '--from goes with --replay', hint: '--replay FINGERPRINT' },
  { line: 'conform --fail-on new', files: RIGHT, says: '--fail-on new goes with --baseline', hint: '--baseline RUN' },
  {
    line: 'conform --allow-security',
    files: RIGHT,
    says: '--allow-security goes with --baseline',
    hint: 'allowSecurity',
  },
  { line: 'conform --out a', code: 3, files: { ...RIGHT, a: '' }, says: 'reports cannot be written to', hint: '--out' },
  {
    line: 'conform',
    files: { ...RIGHT, 'reports/history.db': 'no database at all, but some text' },
    says: 'history.db',
    hint: '--history',
  },
  { line: 'conform --changed-since main', files: RIGHT, says: 'no git repository', hint: 'run without it' },
  { line: 'certify --embedded --sign none.pem', says: '--sign: none.pem cannot be read', hint: 'name a file' },
  {
    line: 'certify --embedded --sign a.pem',
    files: { 'a.pem': 'x' },
    says: 'holds no Ed25519 private key',
    hint: 'openssl genpkey',
  },
  {
    line: 'certify --clause REQ-09',
    files: RIGHT,
    says: 'could not end in a verdict',
    hint: 'accept it by name',
  },
  { line: 'webhooks --clause ERR-01', files: HOOKS, says: 'assay webhooks judges HOOK-01', hint: 'docs/clauses.md' },
  { line: 'webhooks', says: 'needs its webhooks.secret', hint: '--config FILE' },
  {
    line: 'webhooks --deliveries none',
    files: HOOKS,
    says: '--deliveries: none cannot be read',
    hint: 'docs/webhooks.md',
  },
  { line: 'webhooks --deliveries a', files: HOOKS, prepare: gone, says: 'a is no file', hint: 'docs/webhooks.md' },
  { line: 'webhooks --deliveries a', files: { ...HOOKS, a: 'x\n' }, says: '--deliveries: ', hint: 'docs/webhooks.md' },
  {
    line: 'webhooks --deliveries a',
    files: HOOKS,
    prepare: (folder) => writeFileSync(join(folder, 'a'), Buffer.alloc(65 * 1024 * 1024)),
    says: 'is larger than',
    hint: 'docs/webhooks.md',
  },
  { line: 'proxy --target ftp://x', files: RIGHT, says: '--target: expected the address', hint: '--target https' },
  { line: 'proxy --host 192.0.2.1', files: RIGHT, says: 'the proxy cannot listen at 192.0.2.1', hint: '--host' },
  { line: 'check none', files: RIGHT, says: 'none cannot be read (ENOENT)', hint: 'docs/traffic.md' },
  { line: 'check -', files: RIGHT, input: '', says: 'standard input is empty', hint: 'docs/traffic.md' },
  { line: 'check a', files: { ...RIGHT, a: 'PK\u0003\u0004' }, says: 'a zip archive', hint: 'docs/traffic.md' },
  { line: 'check a.har', files: { ...RIGHT, 'a.har': '{}' }, says: 'no list at /log/entries', hint: 'docs/traffic.md' },
  {
    line: 'check a.har',
    files: { ...RIGHT, 'a.har': '{"log":{"entries":[]}} more' },
    says: 'more text follows',
    hint: 'docs/traffic.md',
  },
  {
    line: 'check a.har',
    files: { ...RIGHT, 'a.har': '{"log":{"entries":[x' },
    says: 'broken JSON',
    hint: 'docs/traffic.md',
  },
  { line: 'check a.jsonl', files: { ...RIGHT, 'a.jsonl': 'x\ny\n' }, says: 'a.jsonl:1', hint: 'docs/traffic.md' },
  {
    line: 'check a.jsonl',
    files: RIGHT,
    prepare: (folder) => writeFileSync(join(folder, 'a.jsonl'), Buffer.alloc(65 * 1024 * 1024, 'x')),
    says: 'a.jsonl:1: the line is longer than 64 MiB',
    hint: 'docs/traffic.md',
  },
  {
    line: 'conform --out a',
    code: 3,
    files: RIGHT,
    prepare: (folder) => void mkdirSync(join(folder, 'a', 'created.jsonl'), { recursive: true }),
    says: 'what the run creates cannot be written down',
    hint: '--out',
  },
  {
    line: 'check a.har',
    files: RIGHT,
    prepare: (folder) => {
      const file = join(folder, 'a.har');
      writeFileSync(file, '{"log":{"entries":["');
      const piece = Buffer.alloc(32 * MIB, 'x');
      for (let size = 0; size <= 256 * MIB; size += piece.length) appendFileSync(file, piece);
    },
    says: 'a.har: /log/entries/0 is larger than 256 MiB',
    hint: 'docs/traffic.md',
  },
  {
    line: 'check a',
    files: RIGHT,
    prepare: socketNobodyAnswers,
    says: 'a cannot be read (ENXIO)',
    hint: 'docs/traffic.md',
  },
  {
    line: 'conform --embedded',
    code: 3,
    files: { 'without.cjs': `if (process.argv[1].includes('platform')) throw new Error('no memory');` },
    env: { NODE_OPTIONS: '--require ./without.cjs' },
    says: 'the reference platform did not start: Error: no memory',
    hint: '`assay platform`',
  },
];

/** A file that is there, and that nobody can open. */
function socketNobodyAnswers(folder: string): void {
  const listen = `require('node:net').createServer().listen('a', () => process.kill(process.pid, 'SIGKILL'))`;
  spawnSync(process.execPath, ['-e', listen], { cwd: folder });
}
