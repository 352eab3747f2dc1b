// Tells a chat of each run that does not pass: the verdict, the causes that weigh most, and the command that shows one again.
// Slack, Mattermost and Teams take such a message at the address of an incoming webhook, which CHAT_WEBHOOK names.
import type { OwnReporter, Report } from 'assay';

const MAX_CAUSES = 5;

export const chat: OwnReporter = {
  name: 'chat',
  async report(report) {
    const address = process.env.CHAT_WEBHOOK;
    if (address === undefined || address === '' || report.verdict === 'pass') return undefined;
    const answer = await fetch(address, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ text: messageOf(report) }),
    });
    if (!answer.ok) throw new Error(`the chat answers ${answer.status}`);
    return undefined;
  },
};

/** A few lines: whoever reads a chat looks at the report for the rest. */
function messageOf({ verdict, target, counts, findings, run }: Report): string {
  const violations = findings.filter(({ kind }) => kind === 'violation');
  const causes = [...Map.groupBy(violations, ({ clause, cause }) => `${clause} ${cause}`)];
  const lines = causes
    .toSorted(([, left], [, right]) => right.length - left.length)
    .slice(0, MAX_CAUSES)
    .map(([cause, all]) => `• ${cause} (${all.length})`);
  const more = causes.length - lines.length;
  const first = `Contract of ${target.baseUrl}: ${verdict === 'fail' ? 'broken' : 'no verdict'}`;
  const figures = `${counts.operationsTested} of ${counts.operations} operations tested, ${counts.violations} violations, run ${run.id}`;
  return [first, figures, ...lines, ...(more > 0 ? [`and ${more} more causes`] : [])].join('\n');
}
