// certificate.html: the certificate as a page that prints on two sheets.

import { CLAUSES } from '../contract/clauses.ts';
import { templatesIn } from '../reporters/html/templates.ts';
import { duration, FAMILY_WORDS, number, plural, STATUS_WORDS } from '../reporters/words.ts';
import type { CertificateVerdict, Digested, Predicate } from './statement.ts';

const eta = templatesIn(new URL('./page/', import.meta.url));

const VERDICTS: Readonly<Record<CertificateVerdict, string>> = {
  conforms: 'Conforms',
  'conforms-with-waivers': 'Conforms with waivers',
  'does-not-conform': 'Does not conform',
  'no-verdict': 'No verdict',
};

/** Paths of the verdict's mark, within a circle of 48. */
const MARKS: Readonly<Record<CertificateVerdict, string>> = {
  conforms: 'M14 25l7 7 14-16',
  'conforms-with-waivers': 'M14 25l7 7 14-16',
  'does-not-conform': 'M16 16l16 16M32 16L16 32',
  'no-verdict': 'M14 24h20',
};

export interface PageFacts {
  readonly predicate: Predicate;
  readonly subject: readonly Digested[];
  /** Whether the subject is a release artefact. */
  readonly bound: boolean;
  /** Fingerprint of the key that signs the certificate; null: it is not signed. */
  readonly keyId: string | null;
}

/** The page; everything in it is escaped, nothing is loaded. */
export function renderPage({ predicate, subject, bound, keyId }: PageFacts): string {
  const rows = new Map(predicate.clauses.map((row) => [row.id, row]));
  const families = [...Map.groupBy(CLAUSES, ({ family }) => family)]
    .map(([family, clauses]) => ({
      family,
      name: FAMILY_WORDS[family],
      clauses: clauses.flatMap(({ id, text }) => {
        const row = rows.get(id);
        return row === undefined ? [] : [{ ...row, text: text.replaceAll('`', ''), word: STATUS_WORDS[row.status][0] }];
      }),
    }))
    .filter(({ clauses }) => clauses.length > 0);
  const { run, sensitivity } = predicate;
  return eta.render('./certificate', {
    ...predicate,
    ...{ subject, bound, families, keyId },
    title: VERDICTS[predicate.verdict],
    mark: MARKS[predicate.verdict],
    day: run.startedAt.slice(0, 10),
    judged: `${run.startedAt.slice(0, 16).replace('T', ' ')} UTC, in ${duration(run.durationMs)}`,
    scope: `${plural(run.operationsTested, 'operation')} of ${number(run.operations)}, ${plural(run.requests, 'request')}`,
    tally: tallyOf(predicate),
    sensitivity:
      sensitivity === undefined ? null : { caught: number(sensitivity.caught), planted: number(sensitivity.planted) },
    outOfScope: [...Map.groupBy(predicate.outOfScope, ({ reason }) => reason)].map(([reason, rows]) => ({
      reason,
      ids: rows.map(({ id }) => id).join(', '),
    })),
    verify: `npx assay report --verify FOLDER${bound ? ' --subject RELEASE' : ''}${keyId === null ? '' : ' --key PUBLIC-KEY'}`,
  });
}

/** "83 hold, 8 observed, 2 not tested". */
function tallyOf({ clauses }: Predicate): string {
  return [...Map.groupBy(clauses, ({ status }) => status)]
    .map(([status, rows]) => `${rows.length} ${STATUS_WORDS[status][rows.length === 1 ? 0 : 1]}`)
    .join(', ');
}
