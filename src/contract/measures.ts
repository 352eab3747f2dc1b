// Defines the measures of the grounds of a judgement, and the words for them.
import { plural } from './numbers.ts';

/**
 * The measures of the grounds of a judgement. answers: of the target. comparisons: of several answers. descriptions:
 * files that describe it. items: in a list. pages: that the list has at a limit that was used. overLimits: limits above
 * the maximum that were answered by a maximum, stated or shown. windows: of a limit, exhausted. hostile: inputs.
 * successes: of the same operation, or of any where the judgement belongs to none. effects: of one key, as a list shows
 * them. services: that take the same keys. deliveries: of webhooks. scenarios: that a client met.
 */
export type Measure =
  | 'answers'
  | 'comparisons'
  | 'descriptions'
  | 'items'
  | 'pages'
  | 'overLimits'
  | 'windows'
  | 'hostile'
  | 'successes'
  | 'effects'
  | 'services'
  | 'deliveries'
  | 'scenarios';

/** How much of each measure a judgement rests on. */
export type Grounds = Readonly<Partial<Record<Measure, number>>>;

interface Words {
  readonly one: string;
  readonly many: string;
}

const WORDS: Readonly<Record<Measure, Words>> = {
  answers: { one: 'answer', many: 'answers' },
  comparisons: { one: 'comparison', many: 'comparisons' },
  descriptions: { one: 'description', many: 'descriptions' },
  items: { one: 'item', many: 'items' },
  pages: { one: 'page', many: 'pages' },
  overLimits: { one: 'limit above the maximum', many: 'limits above the maximum' },
  windows: { one: 'exhausted window of one key', many: 'exhausted windows of one key' },
  hostile: { one: 'hostile input', many: 'hostile inputs' },
  successes: { one: 'success', many: 'successes' },
  effects: { one: 'effect', many: 'effects' },
  services: { one: 'service', many: 'services' },
  deliveries: { one: 'delivery', many: 'deliveries' },
  scenarios: { one: 'scenario', many: 'scenarios' },
};

/** "3 items", "1 page", "no exhausted window of one key". */
export function counted(measure: Measure, count: number): string {
  const { one, many } = WORDS[measure];
  return count === 0 ? `no ${one}` : plural(count, one, many);
}
