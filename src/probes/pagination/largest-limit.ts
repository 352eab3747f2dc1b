// PAG-13 on a list that refuses or ignores a limit above its maximum: which limit is the largest that it accepts.
import type { Exchange } from '../../exchange/exchange.ts';
import { isSilentOnPages, pageOf } from '../../facts/page.ts';
import type { Reading } from '../../facts/page-counts.ts';
import type { ListLab } from './lab.ts';
import { note, told } from './observations.ts';
import { EXCESSIVE_LIMIT } from './opening.ts';
import type { Survey } from './survey.ts';

/** Halves what lies between the largest limit known to be accepted and the excessive one; at most 11 requests. Null where nothing is told. */
export async function observeLargestLimit(lab: ListLab, survey: Survey): Promise<number | null> {
  const { list } = lab;
  const size = list.paging.size?.name ?? null;
  if (size === null || survey.maximum !== null || accepts(survey, survey.excessive, list.reading) !== false)
    return null;
  let accepted = survey.accepted;
  let refused = EXCESSIVE_LIMIT;
  let shown = survey.excessive;
  let calls = 1;
  while (accepted + 1 < refused) {
    // Most maxima are round: the limit after the one that is known comes first.
    const limit = calls === 1 ? accepted + 1 : Math.floor((accepted + refused) / 2);
    const exchange = await lab.ask([[size, String(limit)]], 'largest');
    const isAccepted = exchange === null ? null : accepts(survey, exchange, list.reading);
    if (exchange === null || isAccepted === null) return null;
    calls += 1;
    if (isAccepted) accepted = limit;
    else [refused, shown] = [limit, exchange];
  }
  const basis = `a limit of ${accepted} is accepted, one of ${refused} answers ${inWords(shown)}`;
  note(lab, 'maximum-size', told('maximum page size', String(accepted), 'sure', calls, basis), shown);
  return accepted;
}

/** Tells whether the answer shows that the limit was accepted; null where it does not tell. A limit that is ignored brings the usual page. */
function accepts({ bare, most, walk, rules }: Survey, exchange: Exchange, reading: Reading): boolean | null {
  const { response } = exchange;
  if (response === null || isSilentOnPages(response.status, reading)) return null;
  if (response.status >= 300) return response.status >= 400 ? false : null;
  const usual = bare.keys.length;
  const isIgnored = most === usual && (walk[0]?.keys.length ?? 0) > usual;
  if (!isIgnored) return true;
  const page = pageOf(exchange, rules.place, reading);
  return page === null ? null : page.items.length !== usual;
}

function inWords({ response }: Exchange): string {
  const status = response?.status ?? 0;
  return status < 300 ? 'the usual page' : String(status);
}
