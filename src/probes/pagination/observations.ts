// PAG-13: what the survey of a list found out beyond what the source shows.

import { observation, orderOf } from '../../checks/pag/pag-13.ts';
import type { PageRead } from '../../checks/pag/sequence.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { EXCESSIVE_LIMIT } from './opening.ts';
import type { Survey } from './survey.ts';
import type { Verdicts } from './verdicts.ts';

/** Default and maximum page size, order, and behaviour past the end, each an observation of its own. */
export function observe(survey: Survey, past: PageRead | null, verdicts: Verdicts): void {
  const { bare, walk, excessive } = survey;
  const note = (cause: string, actual: string, exchange: Exchange | null): void =>
    verdicts.breach('PAG-13', observation(cause, actual), exchange === null ? [] : [exchange]);
  note('default page size', defaultSize(survey), bare.page.exchange);
  note('maximum page size', maximumSize(survey), excessive);
  note('order', orderOf(walk.flatMap(({ page }) => page.items)), walk[0]?.page.exchange ?? null);
  if (past !== null) note('behaviour past the end', pastEnd(past, survey), past.page.exchange);
}

function defaultSize({ bare, sequence }: Survey): string {
  const named = bare.page.paged?.limit;
  const count = bare.keys.length;
  if (named !== undefined) return `${named}, as the envelope says`;
  return sequence.size === null || count < sequence.size ? `${count}` : `at least ${count}, all that there is`;
}

function maximumSize({ maximum, accepted, excessive, walk }: Survey): string {
  if (maximum !== null) return `${maximum}; a larger limit is answered with so many items`;
  const status = excessive.response?.status ?? 0;
  if (accepted < EXCESSIVE_LIMIT)
    return `between ${accepted} and ${EXCESSIVE_LIMIT - 1}; a limit of ${EXCESSIVE_LIMIT} answers ${status}`;
  const seen = Math.max(...walk.map(({ keys }) => keys.length));
  return `at least ${seen}; no list long enough to tell`;
}

function pastEnd(past: PageRead, { rules }: Survey): string {
  if (past.page.status >= 300) return `status ${past.page.status}`;
  if (past.keys.length > 0) return `${past.keys.length} items of another page`;
  return rules.place === '' ? '200 with []' : '200 with no items';
}
