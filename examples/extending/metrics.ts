// metrics.prom beside the reports: the run in figures, as Prometheus reads them.
import type { OwnReporter } from 'assay';

export const metrics: OwnReporter = {
  name: 'metrics',
  report({ verdict, counts, clauses }) {
    const untested = clauses.filter(({ status }) => status === 'not-tested').length;
    const figures = {
      assay_pass: Number(verdict === 'pass'),
      assay_requests: counts.requests,
      assay_violations: counts.violations,
      assay_clauses_not_tested: untested,
    };
    const lines = Object.entries(figures).map(([name, value]) => `${name} ${value}`);
    return { 'metrics.prom': `${lines.join('\n')}\n` };
  },
};
