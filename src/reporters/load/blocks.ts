// Tells the results of the load suites, block by block in the terminal's words: for the terminal, and for the page's first screen.
import { number, plural } from '../../contract/numbers.ts';
import type { Report } from '../../contract/report.ts';
import { loadSuiteOf } from '../../grading/changes.ts';
import { conformanceView, errorsView, seriesView } from '../html/series.ts';

import { isPart, listOf } from './parts.ts';
import { sinceLines } from './since-words.ts';
import {
  capacityLines,
  ceilingLines,
  exportLines,
  isolationLines,
  pressureLines,
  soakLines,
  spikeLines,
} from './suite-lines.ts';

const SUITES = {
  capacity: capacityLines,
  soak: soakLines,
  spike: spikeLines,
  pressure: pressureLines,
  isolation: isolationLines,
  exports: exportLines,
  ceilings: ceilingLines,
  conformance: conformanceLines,
  since: sinceLines,
} as const;

export interface LoadBlock {
  readonly of: keyof typeof SUITES;
  readonly title: string;
  readonly lines: readonly string[];
}

/** The blocks of a report's load part, the figures first; none where there is no such part, or one of another shape. */
export function loadBlocks(load: unknown): readonly LoadBlock[] {
  return Object.entries(SUITES).flatMap(([of, linesOf]) => {
    const [title, ...lines] = linesOf(load).map((line) => line.trim());
    return title === undefined ? [] : [{ of: of as LoadBlock['of'], title, lines }];
  });
}

/** Suites of load that measure, and judge their answers only in passing. */
const MEASURING: readonly string[] = ['capacity', 'soak', 'spike'];

/** The line of a run that measures: that it does not reach or judge something is no gap. null for any other run. */
export function judgedInPassing(report: Pick<Report, 'load'>): string | null {
  const suite = loadSuiteOf(report);
  if (suite === undefined || !MEASURING.includes(suite)) return null;
  return 'Answers were judged in passing; assay conform judges the contract.';
}

const MAX_KINDS = 4;

/** A line for each under a title; none where the load part tells nothing of them. */
function conformanceLines(load: unknown): readonly string[] {
  if (!isPart(load)) return [];
  const conformance = conformanceView(load.conformance);
  const errors = errorsView(listOf(load.series).map((series, index) => seriesView(series, index, null)));
  const lines = [
    ...(conformance === null ? [] : [`  ${conformanceLine(conformance)}`]),
    ...(errors.length === 0
      ? []
      : [
          `  errors: ${errors
            .slice(0, MAX_KINDS)
            .map(({ kind, count }) => `${number(count)} ${kind}`)
            .join(', ')}${errors.length > MAX_KINDS ? ' and others' : ''}`,
        ]),
  ];
  return lines.length === 0 ? [] : ['Under load', ...lines];
}

function conformanceLine({ brokenAt, allConform, steps }: NonNullable<ReturnType<typeof conformanceView>>): string {
  if (brokenAt === null) return allConform;
  const broken = steps.find(({ name }) => name === brokenAt);
  const clauses = broken?.violations.map(([clause, count]) => `${clause} in ${count}`).join(', ');
  return `conformance breaks at ${brokenAt}: ${clauses} of ${plural(broken?.answers ?? 0, 'answer')}`;
}
