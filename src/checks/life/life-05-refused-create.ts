// Judges whether creates that were refused left something behind, by the texts that only they carried.
//
// LIFE-05 (should): A create that was refused with 4xx leaves nothing behind. Tolerance: Looked for by the name or email
//   that only this request carried.
import { breached, cannotTell, holds, type Judgement } from '../../contract/judgement.ts';
import { jsonText } from '../../exchange/body.ts';

/** A list, and the texts that are looked for in it, in small letters. */
export interface RefusedCase {
  readonly items: readonly unknown[];
  /** Whether these are all items. */
  readonly isWhole: boolean;
  /** Texts that refused creates alone carried. */
  readonly refused: readonly string[];
  /** The text of a create that succeeded: where the list does not show it, it shows no such texts. */
  readonly accepted: string | null;
}

/** LIFE-05: the list of the collection, read after the creates were refused. */
export function judgeNothingLeft({ items, isWhole, refused, accepted }: RefusedCase): Judgement {
  if (refused.length === 0)
    return cannotTell('precondition', 'no create was refused that carried a name or an email of its own');
  const texts = items.map((item) => jsonText(item).toLowerCase());
  const left = refused.filter((mark) => texts.some((text) => text.includes(mark)));
  if (left.length > 0) {
    const [expected, actual] = ['nothing', `${left.length} of ${refused.length} listed`];
    const [code, cause] = ['life-05.left', 'a create that was refused leaves something behind'];
    const message = `${cause}: the list shows ${left.slice(0, 3).join(', ')}, which only refused requests carried`;
    return breached([{ weight: 'breach', code, cause, message, expected, actual }], refused.length);
  }
  if (accepted === null || !texts.some((text) => text.includes(accepted)))
    return cannotTell('precondition', 'the list does not show the name by which an item could be found');
  if (!isWhole) return cannotTell('precondition', 'the list is longer than the pages that were read');
  return holds(refused.length);
}
