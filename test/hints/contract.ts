// Messages about contract files.
import type { HintCase } from './case.ts';

const HEAD = 'contract: 1\nname: Acme\n';
const show = (text: string): Pick<HintCase, 'line' | 'files'> => ({
  ...{ line: 'contract show --contract a.yaml', files: { 'a.yaml': HEAD + text } },
});

export const CONTRACT: readonly HintCase[] = [
  { line: 'contract show --contract jsn-api', says: 'did you mean "json-api"', hint: 'such as ./acme.contract.yaml' },
  { line: 'contract show --contract a.yaml', says: 'a.yaml does not exist', hint: '`assay contract init`' },
  {
    line: 'contract show --contract ./a.txt',
    files: { 'a.txt': HEAD },
    says: 'a contract is a .yaml, .yml or .json file',
    hint: '`assay contract show --contract FILE`',
  },
  { ...show('erors: {}\n'), says: 'a.yaml:3: erors: unknown key', hint: '`assay contract show --contract FILE`' },
  { ...show('extends: ./a.yaml\n'), says: 'leads back to this file', hint: '`assay contract show --contract FILE`' },
  {
    line: 'clauses ERR --contract openapi',
    says: 'the contract openapi does not bind a clause of ERR',
    hint: 'assay contract show --contract openapi',
  },
];
