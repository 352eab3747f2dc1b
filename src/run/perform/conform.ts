// One conformance run from configuration to report. The stages are in stages.ts, what every run does around them in run.ts.
import { computeInTurns } from '../../clock/pieces.ts';
import type { RunOptions } from '../../config/config.ts';
import type { Report } from '../../contract/report.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { OwnChecks } from '../books/own-checks.ts';
import { buildInPieces } from '../books/report.ts';
import { clauseFilter } from '../plan/selection.ts';
import { tryExperiments } from '../sensitivity/sitting.ts';
import { judgeDescriptions, judgeLateProblems } from './descriptions.ts';
import type { RunInput } from './input.ts';
import { RunEnded } from './interruption.ts';

import { performRun } from './run.ts';
import { runStages } from './stages.ts';

/** Throws RunEnded where no operation is left to judge: a run that looks at nothing has no verdict. */
function mustHaveChanged({ changed }: RunOptions): void {
  if (changed?.operations.length === 0)
    throw new RunEnded('filtered', `no operation is described otherwise than at ${changed.since}: nothing was judged`);
}

/** Throws RunEnded where nothing is described that could be called: webhooks alone, or no paths. */
function mustDescribe(descriptions: readonly Description[]): void {
  if (descriptions.length === 0 || descriptions.some(({ operations }) => operations.length > 0)) return;
  throw new RunEnded('not-declared', 'no description shows an operation: there is nothing to call');
}

/** Runs and reports. Never rejects for what the target does, nor for what fails in the harness while it judges: the report tells. */
export function conform(input: RunInput): Promise<Report> {
  const { config, options, descriptions } = input;
  const own = new OwnChecks(input.checks ?? []);
  const inRun = clauseFilter(options, config.stated, own.clauses);
  const { timeLimitSeconds, fitSeconds = null } = options;
  return performRun(
    input,
    { own, inRun, mostSeconds: timeLimitSeconds ?? fitSeconds },
    ({ state, runId, startedAtMs }) => {
      const known = judgeDescriptions(state);
      return {
        async perform() {
          mustHaveChanged(options);
          mustDescribe(descriptions);
          await runStages(state);
        },
        async conclude(ended, durationMs) {
          judgeLateProblems(state, known);
          if (ended?.reasonCode !== 'interrupted') await tryExperiments(state, durationMs, input.stop);
        },
        tell: (moment) =>
          computeInTurns(buildInPieces({ ...state, runId, startedAtMs, ...moment }), state.input.clock.turn),
      };
    },
  );
}
