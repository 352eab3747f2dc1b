// Completion as bash does it: the printed script is read, and its function is called as at a press of the tab key.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { oneDue, shareDue } from '../../../test/programme.ts';

const BIN = join(import.meta.dirname, '..', '..', '..', 'bin', 'assay.js');
const folder = mkdtempSync(join(tmpdir(), 'assay-completion-'));
writeFileSync(join(folder, 'assay.config.yaml'), '');
writeFileSync(join(folder, '.hidden.yaml'), '');
writeFileSync(join(folder, 'completion.bash'), execFileSync(process.execPath, [BIN, 'completion', 'bash']));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The function of the package bash-completion: it gives the words of the line, and tells which of them is completed. */
const BASH_COMPLETION = `_get_comp_words_by_ref() {
  words=("\${COMP_WORDS[@]}"); cword=$COMP_CWORD; cur=\${words[cword]}; prev=\${words[cword-1]}
}
compopt() { :; }`;

/** The words that bash offers in place of the last of these words. */
function offered(...words: readonly string[]): readonly string[] {
  const script = `assay() { '${process.execPath}' '${BIN}' "$@"; }
${BASH_COMPLETION}
source ./completion.bash
complete -p assay | grep -q '^complete -F __assay_complete assay$' || exit 9
COMP_WORDS=(assay ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}
__assay_complete
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const env = { PATH: process.env.PATH, ASSAY_CACHE: join(folder, 'cache') };
  return execFileSync('bash', ['--norc', '-c', script], {
    ...{ cwd: folder, env, encoding: 'utf8' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
    .trimEnd()
    .split('\n');
}

describe('bash completes', () => {
  test.each(
    shareDue<readonly [what: string, words: readonly string[], expected: readonly string[]]>(
      [
        ['commands', ['conf'], ['conform']],
        ['commands of commands', ['load', 'ra'], ['ratelimit']],
        ['options', ['conform', '--bas'], ['--base-url', '--baseline']],
        ['options of commands of commands', ['load', 'ceiling', '--time'], ['--time-limit']],
        ['what an option may be', ['conform', '--profile', ''], ['ci']],
        ['clauses', ['conform', '--clause', 'INT'], ['INT-01']],
        ['files', ['conform', '--config', 'assay'], ['assay.config.yaml']],
        ['hidden files where asked for', ['specs', '.h'], ['.hidden.yaml']],
        ['nothing where nothing fits', ['conform', '--seed', ''], ['']],
      ],
      4,
    ),
  )('%s', (_what, words, expected) => {
    expect(offered(...words)).toEqual(expected);
  });

  test('no command that is not for people', () => {
    expect(offered('comp')).toEqual(['completion']);
  });
});

test.each(oneDue(['zsh', 'fish']))('a script for %s is printed', (shell) => {
  const script = execFileSync(process.execPath, [BIN, 'completion', shell], { encoding: 'utf8' });
  expect(script).toContain('assay complete --');
});
