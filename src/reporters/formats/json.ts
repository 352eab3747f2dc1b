// report.json: the report as it is, after it was held against its published schema.
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { CLAUSES } from '../../contract/clauses.ts';
import { isOwnClauseId } from '../../contract/own-clauses.ts';
import schema from '../../contract/report.schema.json' with { type: 'json' };
import type { Report } from '../../contract/report.ts';
import { ToldError } from '../../contract/told-error.ts';

/** Where a report breaks its schema. */
export interface ReportProblem {
  /** JSON pointer into the report; "" is the whole. */
  readonly pointer: string;
  readonly message: string;
}

/** Thrown for a report that breaks its own schema: a defect of the harness, never of the target. */
export class ReportInvalid extends ToldError<'ASSAY_REPORT_INVALID', null> {
  readonly problems: readonly ReportProblem[];

  constructor(problems: readonly ReportProblem[]) {
    const shown = problems
      .slice(0, 10)
      .map(({ pointer, message }) => `  ${pointer || '(the whole report)'}: ${message}`);
    const more = problems.length > shown.length ? [`  and ${problems.length - shown.length} more`] : [];
    super(
      'ASSAY_REPORT_INVALID',
      [
        'The report breaks its own schema (a defect of assay, not of the target); it is written all the same:',
        ...shown,
        ...more,
        'Please report these lines.',
      ].join('\n'),
      null,
    );
    this.problems = problems;
  }
}

const addFormats = ajvFormats.default;

let compiled: ReturnType<Ajv2020['compile']> | undefined;

function validator(): ReturnType<Ajv2020['compile']> {
  if (compiled === undefined) {
    const ajv = new Ajv2020({
      allErrors: true,
      allowUnionTypes: true,
      strictRequired: false,
      strictTypes: false,
      // The schema is our own, and judged by its tests: a run need not compile the meta-schema too.
      meta: false,
      validateSchema: false,
      // It judges a report or two: making it takes longer than running it.
      inlineRefs: false,
      code: { optimize: false },
    });
    addFormats(ajv);
    compiled = ajv.compile(schema);
  }
  return compiled;
}

/** Every place where the report breaks report.schema.json or lacks, repeats or invents a clause row. Empty: sound. */
export function reportProblems(report: Report): readonly ReportProblem[] {
  const validate = validator();
  const sound = validate(report);
  const bySchema = sound ? [] : (validate.errors ?? []).filter(({ keyword }) => keyword !== 'if').map(problem);
  // Whatever JSON a file holds may come here: without rows there are none to count.
  return Array.isArray(report?.clauses) ? [...bySchema, ...rowProblems(report)] : bySchema;
}

function problem({ instancePath, message, keyword, params }: ErrorObject): ReportProblem {
  const detail = keyword === 'enum' || keyword === 'const' ? `: ${JSON.stringify(params)}` : '';
  return { pointer: instancePath, message: `${message ?? keyword}${detail}` };
}

/** The law that JSON Schema cannot say: every clause of the contract has exactly one row, and so has each of the user's own. */
function rowProblems(report: Report): readonly ReportProblem[] {
  const missing = new Set(CLAUSES.map(({ id }) => id));
  const own = new Set<string>();
  const problems: ReportProblem[] = [];
  for (const [index, row] of report.clauses.entries()) {
    const id = row?.id;
    // A value that is no text is the schema's; it may be nested too deep to be told.
    if (typeof id !== 'string') continue;
    const isOwn = typeof row?.text === 'string' && isOwnClauseId(id) && !own.has(id);
    if (isOwn) own.add(id);
    else if (!missing.delete(id)) {
      problems.push({ pointer: `/clauses/${index}/id`, message: `${id} has a row already, or is no clause` });
    }
  }
  if (missing.size > 0) problems.push({ pointer: '/clauses', message: `no row for ${[...missing].join(', ')}` });
  return problems;
}

/** Rows that are told at once. */
const ROWS_A_PIECE = 100;

/** The text of report.json in pieces: with thousands of operations the whole takes a hundred megabytes, for a moment, and beside the run itself. */
export function* jsonPieces(report: Report): Generator<string> {
  let before = '{\n';
  for (const [key, value] of Object.entries(report)) {
    if (value === undefined) continue;
    yield before;
    if (Array.isArray(value) && value.length > ROWS_A_PIECE) yield* listPieces(key, value);
    else yield textWithin({ [key]: value }, '{\n', '\n}');
    before = ',\n';
  }
  yield '\n}\n';
}

/** A list of the report under its key, some rows at a time, indented as they are in the whole. */
function* listPieces(key: string, rows: readonly unknown[]): Generator<string> {
  const start = ` ${JSON.stringify(key)}: [\n`;
  yield start;
  for (let from = 0; from < rows.length; from += ROWS_A_PIECE) {
    if (from > 0) yield ',\n';
    yield textWithin({ [key]: rows.slice(from, from + ROWS_A_PIECE) }, `{\n${start}`, '\n ]\n}');
  }
  yield '\n ]';
}

function textWithin(value: object, start: string, end: string): string {
  return JSON.stringify(value, null, 1).slice(start.length, -end.length);
}

/** Throws `ReportInvalid`, naming every pointer, for a report that breaks its schema. */
export function assertValid(report: Report): void {
  const problems = reportProblems(report);
  if (problems.length > 0) throw new ReportInvalid(problems);
}
