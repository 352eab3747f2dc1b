// PAG-06 to PAG-08 under a filter: the pages of a filtered list are slices of the filtered whole. A filter that is forgotten from
// the second page on, or applied to a page after it was cut, shows on no other page.
import { type Suspicion, suspicionOf } from '../../checks/pag/pag-04-to-09-page.ts';
import { type PageRead, Sequence } from '../../checks/pag/sequence.ts';
import { isObject, shapeOf } from '../../generate/schema-shape.ts';
import type { Reached } from '../world.ts';
import type { Verdicts } from './clause-tally.ts';
import { askFor, firstTurn, type Pairs } from './list-operation.ts';
import type { PageReader } from './page-reader.ts';
import { Study } from './study.ts';
import type { Survey } from './survey.ts';

const TURNING: readonly string[] = ['limit', 'page', 'offset'];
/** Fewer items have no second page that is worth a look. */
const LEAST_ITEMS = 4;
const PAGES = 3;

/** Reads the whole of the list under one filter, and its second page; nothing where no filter is known to leave some items and not all. */
export async function judgeFiltered(
  { world, list }: Study,
  survey: Survey,
  reader: PageReader,
  verdicts: Verdicts,
): Promise<void> {
  const filter = filterOf(list.reached, survey);
  if (filter === null) return;
  const filtered = new Study(world, { ...list, filter: [filter] });
  const { accepted, maximum, identity, rules } = survey;
  const read = (limit: number, at: number): Promise<PageRead | null> =>
    filtered.read(reader, survey, askFor(list, limit, Math.min(limit, maximum ?? limit), at));
  const whole = await filtered.read(reader, survey, { limit: Math.min(accepted, 100), turn: firstTurn(list) });
  const count = whole?.keys.length ?? 0;
  // Of a longer list the rest is not seen, and of a filter that is not applied nothing is told here.
  if (whole === null || count < LEAST_ITEMS || count >= whole.applied || count >= survey.sequence.known) return;
  const limit = Math.ceil(count / PAGES);
  const second = await read(limit, limit);
  if (second === null || second.page.status >= 300) return;
  const compare = (earlier: PageRead | null, page: PageRead): Suspicion | null =>
    suspicionOf(page, new Sequence(identity.member !== null, earlier === null ? [] : [earlier]), rules);
  const ofWhole = compare(null, whole);
  const suspicion = ofWhole ?? compare(whole, second);
  if (suspicion === null) {
    for (const clause of rules.slice) verdicts.agree(clause);
    return;
  }
  const later = ofWhole === null ? second : whole;
  const result = await filtered.confirm(reader, survey, suspicion, later, compare);
  if (result.kind !== 'confirmed') return;
  const evidence = [...(suspicion.earlier === null ? [] : [whole]), result.later].map(({ page }) => page.exchange);
  for (const clause of result.suspicion.clauses) verdicts.breach(clause, result.suspicion.breach, evidence);
}

/** A listed value of a query parameter that some of the items have in the member of that name, and not all. */
function filterOf({ operation, description }: Reached, survey: Survey): Pairs[number] | null {
  const items = survey.walk.flatMap(({ page }) => page.items).filter(isObject);
  for (const { name, in: place, schema } of operation.parameters) {
    if (place !== 'query' || TURNING.includes(name) || schema === null) continue;
    const { enum: values, type } = shapeOf(description, schema.value);
    const listed = type === 'boolean' ? [true, false] : values;
    if (!Array.isArray(listed)) continue;
    const counted = Map.groupBy(
      items.flatMap((item) => (listed.includes(item[name]) ? [String(item[name])] : [])),
      (value) => value,
    );
    const [most] = [...counted].toSorted(([, left], [, right]) => right.length - left.length);
    if (most !== undefined && most[1].length >= LEAST_ITEMS && most[1].length < items.length) return [name, most[0]];
  }
  return null;
}
