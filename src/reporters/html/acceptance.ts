// What people had accepted before the run: the violations that it covers, and what became of each waiver.
import type { Report, WaiverRow } from '../../contract/report.ts';
import { cut } from '../text.ts';
import { plural } from '../words.ts';
import type { GroupView } from './findings.ts';

const TEXT_CHARS = 300;

const FATES: Readonly<Record<WaiverRow['status'], string>> = {
  used: 'used',
  unused: 'nothing is broken any more: it can go',
  'not-judged': 'what it is about was not looked at',
  expired: 'expired: what it waived counts again',
};

/** Null where nothing was accepted beforehand. `groups` are the accepted causes. */
export function acceptanceView({ acceptance }: Report, groups: readonly GroupView[]) {
  if (acceptance === undefined) return null;
  const { baseline, waivers } = acceptance;
  return {
    groups,
    baseline: baseline === null ? null : { run: baseline.run, resolved: plural(baseline.resolved.length, 'violation') },
    waivers: waivers.map((waiver) => ({
      clause: waiver.clause,
      what: cut(waiver.operation ?? waiver.fingerprint ?? 'every operation', TEXT_CHARS),
      reason: cut(waiver.reason, TEXT_CHARS),
      owner: cut(waiver.owner, TEXT_CHARS),
      ticket: cut(waiver.ticket ?? '', TEXT_CHARS),
      expires: waiver.expires,
      status: waiver.status,
      fate: FATES[waiver.status],
      violations: plural(waiver.violations, 'violation'),
    })),
  };
}
