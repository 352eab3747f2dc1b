// Messages about contract files.
import { type HintCase, PETS } from './case.ts';

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
  { line: 'contract init pets.json --out a.json', says: '--out: a.json is not YAML', hint: '.yaml' },
  {
    line: 'contract init pets.json',
    files: { 'api.contract.yaml': '' },
    says: 'exists and is left as it is',
    hint: 'assay contract init --force',
  },
  { line: 'contract init', says: 'no description is given', hint: 'assay contract init https' },
  {
    line: 'contract init pets.json',
    code: 3,
    files: { 'pets.json': PETS },
    says: 'nothing answers at http://127.0.0.1:9',
    hint: 'assay contract init --offline',
  },
  {
    line: 'contract init pets.json --offline --out a/b.yaml',
    code: 3,
    files: { 'pets.json': PETS, a: '' },
    says: 'a/b.yaml',
    hint: 'another file with --out',
  },
  {
    line: 'clauses ERR --contract openapi',
    says: 'the contract openapi does not bind a clause of ERR',
    hint: 'assay contract show --contract openapi',
  },
];
