// Shows a contract, for `assay contract show`: its clauses in its own words, and the line that would bind each of the others.
import { contractOf } from '../../config/contract-file.ts';
import { UsageError } from '../../config/errors.ts';
import { contractOfConfig } from '../../config/load.ts';
import type { Clause } from '../../contract/clause.ts';
import { CLAUSES } from '../../contract/clauses.ts';
import { type ContractClause, clausesUnder } from '../../contract/contract.ts';
import type { Contract } from '../../contract/terms.ts';
import { wrapped } from '../../reporters/terminal/wrapped.ts';
import { contractInWords } from '../../reporters/words.ts';

/** Which contract is meant. */
export interface ContractFlags {
  /** A file, or a contract that ships. */
  readonly contract?: string;
  readonly config?: string;
}

/** The one that an option names, else that of the configuration. */
export async function contractAsked({ contract, config }: ContractFlags): Promise<Contract> {
  const cwd = process.cwd();
  return contract === undefined ? contractOfConfig({ file: config ?? null, cwd }) : contractOf(contract, cwd);
}

/** Those that the contract has, in its words. Throws UsageError where it has none of them, with the line that would bind one. */
export function clausesBoundBy(named: string, clauses: readonly Clause[]): readonly Clause[] {
  const under = clausesUnder(contractOf(named, process.cwd()), clauses);
  const bound = under.filter(({ from }) => from !== null).map(({ from: _, line: __, ...clause }) => clause);
  const [first] = under;
  if (bound.length > 0 || first === undefined) return bound;
  const which = under.length === 1 ? first.id : `a clause of ${first.family}`;
  const by = first.line === null ? '' : `; a line ${first.line} would bind ${first.id}`;
  throw new UsageError(
    'ASSAY_CLAUSE_UNKNOWN',
    `the contract ${named} does not bind ${which}${by}`,
    `assay contract show --contract ${named}`,
  );
}

type Source = NonNullable<ContractClause['from']>;

const HEADINGS: Readonly<Record<Source, string>> = {
  file: 'Stated by its lines',
  descriptions: 'Of every API, by its description',
  commerce: 'Of the contract commerce',
};

/** For people. */
export function contractText(contract: Contract, columns: number): string {
  const clauses = clausesUnder(contract, CLAUSES);
  const parts = (Object.keys(HEADINGS) as Source[]).flatMap((source) => {
    const own = clauses.filter(({ from }) => from === source);
    if (own.length === 0) return [];
    return ['', `${HEADINGS[source]}: ${own.length}`, ...own.flatMap((clause) => clauseLines(clause, columns))];
  });
  const others = clauses.filter(({ from, line }) => from === null && line !== null);
  const rest =
    others.length === 0
      ? []
      : [
          '',
          `Not stated, with the line that would bind it: ${others.length}`,
          ...others.flatMap((one) => openLines(one, columns)),
        ];
  return `${[contractInWords(contract), ...parts, ...rest].join('\n')}\n`;
}

const ID_COLUMNS = 9;
const HANG = 21;

function clauseLines({ id, level, text, from, line }: ContractClause, columns: number): readonly string[] {
  const by = from === 'file' && line !== null ? ` (${line})` : '';
  return wrapped(`  ${id.padEnd(ID_COLUMNS)} ${level.padEnd(8)} ${text}${by}`, columns, HANG);
}

function openLines({ id, line, text }: ContractClause, columns: number): readonly string[] {
  return wrapped(`  ${id.padEnd(ID_COLUMNS)} ${line}: ${text}`, columns, HANG);
}

/** For programs. */
export function contractJson(contract: Contract): string {
  const { name, file, digest, base } = contract;
  const clauses = clausesUnder(contract, CLAUSES).map(({ id, level, text, tolerance, from, line }) => ({
    ...{ id, level, text, tolerance, from, line },
  }));
  return JSON.stringify({ name, file, digest, base, clauses });
}
