// certificate.html: the certificate on one printable page.

import { CLAUSES } from '../contract/clauses.ts';
import { templatesIn } from '../reporters/html/templates.ts';
import { FAMILY_WORDS, STATUS_WORDS } from '../reporters/words.ts';
import type { CertificateVerdict, Digested, Predicate } from './statement.ts';

const eta = templatesIn(new URL('./page/', import.meta.url));

const VERDICTS: Readonly<Record<CertificateVerdict, string>> = {
  conforms: 'Conforms',
  'conforms-with-waivers': 'Conforms with waivers',
  'does-not-conform': 'Does not conform',
  'no-verdict': 'No verdict',
};

export interface PageFacts {
  readonly predicate: Predicate;
  readonly subject: readonly Digested[];
  /** Whether the subject is a release artefact. */
  readonly bound: boolean;
}

/** The page; everything in it is escaped, nothing is loaded. */
export function renderPage({ predicate, subject, bound }: PageFacts): string {
  const rows = new Map(predicate.clauses.map((row) => [row.id, row]));
  const families = [...Map.groupBy(CLAUSES, ({ family }) => family)]
    .map(([family, clauses]) => ({
      family,
      name: FAMILY_WORDS[family],
      clauses: clauses.flatMap(({ id, text }) => {
        const row = rows.get(id);
        return row === undefined ? [] : [{ ...row, text, word: STATUS_WORDS[row.status][0] }];
      }),
    }))
    .filter(({ clauses }) => clauses.length > 0);
  return eta.render('./certificate', { ...predicate, subject, bound, families, title: VERDICTS[predicate.verdict] });
}
