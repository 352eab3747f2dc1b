// What changed since the last run, in a few lines.
import type { Report } from '../../contract/report.ts';
import { groupFindings, groupKey } from '../grouping.ts';
import { KIND_WORDS, number, plural, STATUS_WORDS } from '../words.ts';
import { anchor } from './text.ts';

const SHOWN = 4;

/** Null where no earlier run is known. */
export function changesView({ since, findings }: Report) {
  if (since === undefined) return null;
  const fresh = new Set(since.appeared);
  const appeared = groupFindings(findings.filter(({ fingerprint }) => fresh.has(fingerprint)));
  const gone = [...Map.groupBy(since.gone, groupKey).values()];
  return {
    run: since.run,
    when: `${since.startedAt.slice(0, 10)} ${since.startedAt.slice(11, 16)} UTC`,
    sentence: sentenceOf(since.appeared.length, since.gone.length),
    appeared: {
      count: plural(since.appeared.length, 'new finding'),
      causes: appeared.slice(0, SHOWN).map((group) => ({
        id: group.clause,
        cause: group.cause,
        href: `#${anchor('f', group.findings[0]!.fingerprint)}`,
      })),
      left: Math.max(0, appeared.length - SHOWN),
    },
    gone: {
      count: plural(since.gone.length, 'finding'),
      causes: gone.slice(0, SHOWN).map((same) => ({
        id: same[0]!.clause,
        cause: same[0]!.cause,
        word: plural(same.length, ...KIND_WORDS[same[0]!.kind]),
      })),
      left: Math.max(0, gone.length - SHOWN),
    },
    unknown: since.unknown,
    clauses: since.clauses.map(({ id, before, now }) => ({
      id,
      before: STATUS_WORDS[before][0],
      now: STATUS_WORDS[now][0],
      state: now,
    })),
  };
}

function sentenceOf(appeared: number, gone: number): string {
  if (appeared === 0 && gone === 0) return 'Nothing new, nothing gone.';
  return `${number(appeared)} new, ${number(gone)} gone.`;
}
