// `assay clauses [ID]`: prints the contract, or one clause with its tolerance, its floor and what is sent for it.
import { Argument, Command } from 'commander';
import type { Clause, Level } from '../../contract/clause.ts';
import { CLAUSES, entryOf, repairOf } from '../../contract/clauses.ts';
import { floorInWords } from '../../contract/grounds.ts';
import { commandOf } from '../../contract/judged-by.ts';
import { sentFor } from '../../contract/sent-words.ts';
import { wrapped } from '../../reporters/terminal/wrapped.ts';
import { clausesNamed } from '../process/options.ts';

export function clausesCommand(ends: (code: number) => void): Command {
  return new Command('clauses')
    .description('print the contract, or one clause: its law, its tolerance, what is sent for it')
    .addArgument(new Argument('[id]', 'a clause such as ERR-04, or a family such as ERR (default: all)'))
    .option('--contract <file>', 'only what this contract binds, in its words: a file, or one that ships')
    .option('--json', 'print JSON on stdout')
    .addHelpText('after', HELP)
    .action(
      async (id: string | undefined, { json, contract }: { readonly json?: boolean; readonly contract?: string }) => {
        const all = id === undefined ? CLAUSES : clausesNamed(id);
        const chosen =
          contract === undefined ? all : (await import('../contract/shown.ts')).clausesBoundBy(contract, all);
        const columns = process.stdout.isTTY ? process.stdout.columns : PLAIN_COLUMNS;
        process.stdout.write(json === true ? `${jsonOf(chosen)}\n` : `${textOf(chosen, id, columns).join('\n')}\n`);
        ends(0);
      },
    );
}

const PLAIN_COLUMNS = 100;

const LEVELS: Readonly<Record<Level, string>> = {
  must: 'must: a breach is a violation',
  should: 'should: a breach is an advisory',
  discover: 'discover: it is observed and never judged',
};

/** One clause in full; several as a list, a sentence each. */
function textOf(clauses: readonly Clause[], asked: string | undefined, columns: number): readonly string[] {
  const [clause] = clauses;
  if (clauses.length === 1 && clause !== undefined && clause.id === asked?.toUpperCase())
    return inFull(clause, columns);
  return clauses.flatMap(({ id, level, text }) => wrapped(`${id.padEnd(10)} ${level.padEnd(8)}  ${text}`, columns, 21));
}

function inFull({ id, level, text, tolerance }: Clause, columns: number): readonly string[] {
  const rows: readonly (readonly [string, string])[] = [
    ['Level', LEVELS[level]],
    ['Tolerance', tolerance === '' ? 'none' : tolerance],
    ['Needs', floorInWords(id) === '' ? 'nothing' : `at least ${floorInWords(id)} for a pass`],
    ['Sent', sentFor(id).join(' ')],
    ['Repair', repairOf(id)],
    ['Judged by', commandOf(id) ?? `assay conform --clause ${id}`],
    ['Page', `docs/clauses.md#${id.toLowerCase()}`],
  ];
  return [
    ...wrapped(`${id}  ${text}`, columns, id.length + 2),
    '',
    ...rows.flatMap(([name, words]) => wrapped(`  ${name.padEnd(9)}  ${words}`, columns, 13)),
  ];
}

function jsonOf(clauses: readonly Clause[]): string {
  return JSON.stringify(
    clauses.map((clause) => ({
      ...clause,
      repair: repairOf(clause.id),
      floor: entryOf(clause.id)?.needs ?? {},
      sent: sentFor(clause.id),
      command: commandOf(clause.id) ?? 'assay conform',
    })),
  );
}

const HELP = `
Examples:
  assay clauses                                  the contract, a line each clause
  assay clauses ERR                              one family
  assay clauses ERR-04                           one clause in full
  assay clauses PAG --contract acme.contract.yaml
                                                 one family as this contract words it
  assay clauses --json`;
