// What slowing says of the run's verdict, where the configuration tells how much is too much. Pure.
import type { IsolationPart } from '../../contract/load-part.ts';
import type { Report } from '../../contract/report.ts';

/** A factor that surely lies above the objective fails the run; one that may leaves it without a verdict. */
export function judgedIsolation(report: Report, { slowdown, keys }: IsolationPart): Report {
  if (slowdown === null || report.verdict === 'fail') return report;
  const pairs = keys.flatMap(({ key, others }) => others.map((other) => ({ key, other: other.key, ...other.slowing })));
  const beyond = pairs.filter(({ factor, shift }) => shift !== 'none' && (factor?.best ?? 0) > slowdown);
  const over = beyond.find(({ factor, shift }) => shift === 'sure' && (factor?.least ?? 0) > slowdown);
  const noted = (verdict: 'fail' | 'none', said: string): Report => ({
    ...report,
    verdict,
    run: { ...report.run, note: `isolation: ${said}` },
  });
  if (over !== undefined)
    return noted(
      'fail',
      `key ${over.other} answers ${over.factor?.best} times as slowly while ${over.key} is at its ceiling, ${slowdown} are allowed`,
    );
  const open = pairs.find(({ unknown }) => unknown !== null) ?? beyond[0];
  if (open === undefined) return report;
  const why = open.unknown ?? `${open.factor?.least} to ${open.factor?.most} times as slow, ${slowdown} are allowed`;
  return noted('none', `key ${open.other} beside ${open.key}: ${why}`);
}
