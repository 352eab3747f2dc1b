// What the load suites came to, block by block in the terminal's words: for the terminal, and for the page's first screen.
import { capacityLines } from './capacity-lines.ts';
import { ceilingLines } from './ceiling-lines.ts';
import { conformanceLines } from './conformance-lines.ts';
import { exportLines } from './export-lines.ts';
import { isolationLines } from './isolation-lines.ts';
import { pressureLines } from './pressure-lines.ts';
import { sinceLines } from './since-words.ts';
import { soakLines } from './soak-lines.ts';
import { spikeLines } from './spike-lines.ts';

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
