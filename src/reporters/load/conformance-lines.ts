// Errors and conformance under load as lines of text.
import { conformanceView, errorsView, seriesView } from '../html/series.ts';
import { number, plural } from '../words.ts';
import { isPart, listOf } from './parts.ts';

const MOST_KINDS = 4;

/** A line for each under a title; none where the load part tells nothing of them. */
export function conformanceLines(load: unknown): readonly string[] {
  if (!isPart(load)) return [];
  const conformance = conformanceView(load.conformance);
  const errors = errorsView(listOf(load.series).map((series, index) => seriesView(series, index, null)));
  const lines = [
    ...(conformance === null ? [] : [`  ${conformanceLine(conformance)}`]),
    ...(errors.length === 0
      ? []
      : [
          `  errors: ${errors
            .slice(0, MOST_KINDS)
            .map(({ kind, count }) => `${number(count)} ${kind}`)
            .join(', ')}${errors.length > MOST_KINDS ? ' and others' : ''}`,
        ]),
  ];
  return lines.length === 0 ? [] : ['Under load', ...lines];
}

function conformanceLine({ brokenAt, answers, steps }: NonNullable<ReturnType<typeof conformanceView>>): string {
  if (brokenAt === null) return `all ${answers} kept whole in ${plural(steps.length, 'step')} conform`;
  const broken = steps.find(({ name }) => name === brokenAt);
  const clauses = broken?.violations.map(([clause, count]) => `${clause} in ${count}`).join(', ');
  return `conformance breaks at ${brokenAt}: ${clauses} of ${broken?.answers} answers`;
}
