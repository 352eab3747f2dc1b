// Reads a refusal against the body that was sent: texts of it that the refusal repeats are not wanted, values that the description lists
// and the refusal mentions are.

import type { Exchange } from '../../exchange/exchange.ts';
import { memberShape } from '../../facts/members.ts';
import type { Hint } from '../../facts/refusal-hints.ts';
import { refusalSentence } from '../../facts/refusal-sentence.ts';
import { bodyType } from '../../generate/bodies.ts';
import { mustBeNew } from '../../generate/preferred.ts';
import { isObject, textsBelow } from '../../openapi/json.ts';
import type { Recipe } from './recipe.ts';

/** Levels below the body that are looked into. */
const MAX_NESTED_LEVELS = 3;
/** Shorter texts may stand in a refusal by chance. */
const MIN_REPEATED = 5;

/** The demands that lists are to hold no text that the refusal repeats: only the others, or nothing. */
export function itemsRepeated(body: unknown, { response }: Exchange): readonly Hint[] {
  return itemsIn(body, response?.body ?? '', []);
}

function itemsIn(value: unknown, refusal: string, path: readonly string[]): readonly Hint[] {
  if (isObject(value) && path.length < MAX_NESTED_LEVELS)
    return Object.entries(value).flatMap(([name, member]) => itemsIn(member, refusal, [...path, name]));
  if (!Array.isArray(value) || path.length === 0) return [];
  const isRepeated = (item: unknown): boolean =>
    typeof item === 'string' && item.length >= MIN_REPEATED && refusal.includes(item);
  const others = value.filter((item) => !isRepeated(item));
  if (others.length === value.length) return [];
  const schema = others.length > 0 ? { items: { enum: others }, maxItems: others.length } : { maxItems: 0 };
  return [{ part: 'body', path, demand: { kind: 'fits', schema }, sentence: '' }];
}

/** Shorter values may stand in a refusal as words of it. */
const MIN_MENTIONED = 4;

/** The demands for values that the description lists and the refusal mentions as words: "must be started in the running state". */
export function valuesMentioned(
  { description, operation }: Recipe,
  body: unknown,
  rejection: Exchange,
): readonly Hint[] {
  const words = new Set((refusalSentence(rejection) ?? '').split(/[^\w-]+/));
  return Object.entries(isObject(body) ? body : {}).flatMap(([name, value]) => {
    const listed = memberShape(description, bodyType(operation)?.schema?.value, name)?.enum;
    const mentioned = (Array.isArray(listed) ? listed : []).filter(
      (one) => typeof one === 'string' && one.length >= MIN_MENTIONED && one !== value && words.has(one),
    );
    const schema = { enum: mentioned };
    return mentioned.length === 0
      ? []
      : [{ part: 'body', path: [name], demand: { kind: 'fits', schema }, sentence: '' } as const];
  });
}

/** The demand that the one member goes whose text the refusal repeats; none where it repeats none, or several: all that was sent. */
export function memberRepeated(body: unknown, rejection: Exchange): readonly Hint[] {
  const sentence = refusalSentence(rejection) ?? '';
  const [only, ...others] = textsIn(body).filter(({ text }) => text.length >= MIN_REPEATED && sentence.includes(text));
  return only === undefined || others.length > 0
    ? []
    : [{ part: 'body', path: only.path, demand: { kind: 'unknown' }, sentence: '' }];
}

/** A name that rules which no schema states mostly admit: a word without signs and digits that begins large. */
const PLAIN_NAME = '^[A-Z][a-z]{5,11}$';

/** The demands that names which the refusal mentions are plain, where it does not say what is wrong with them: "Invalid username". */
export function namesBlamed(body: unknown, rejection: Exchange): readonly Hint[] {
  const words = new Set((refusalSentence(rejection) ?? '').toLowerCase().split(/[^a-z0-9_]+/));
  return textsIn(body)
    .filter(({ path, text }) => words.has((path.at(-1) ?? '').toLowerCase()) && !text.includes('@'))
    .filter(({ path }) => mustBeNew(path.at(-1) ?? ''))
    .map(({ path }) => ({
      ...{ part: 'body', path, sentence: '' },
      demand: { kind: 'fits', schema: { pattern: PLAIN_NAME } },
    }));
}

/** Words that ask for a time which is still to come. */
const TO_COME =
  /\b(?:(?<!(?:not|n't) be )in (?:the )?future|future (?:date|time)|(?:not|n't) be (?:in the past|before)|(?:is|are) in the past|(?:has|have|is|are) (?:already )?(?:expired|passed)|after (?:now|today)|later than (?:now|today))\b/i;
const DATE = /^(\d{4})(-\d\d-\d\d(?:$|[T ]).*)$/;
/** A leap year, so that each day of any year is one of it; far enough, and near enough for clocks that count seconds in 32 bits. */
const YEAR_TO_COME = '2036';

/** The demands that times are far to come, where the refusal asks for that: examples of descriptions grow old. */
export function timesToCome(body: unknown, rejection: Exchange): readonly Hint[] {
  if (!TO_COME.test(refusalSentence(rejection) ?? '')) return [];
  return textsIn(body).flatMap(({ path, text }): readonly Hint[] => {
    const [, year, rest] = DATE.exec(text) ?? [];
    if (year === undefined || year >= YEAR_TO_COME) return [];
    const schema = { enum: [`${YEAR_TO_COME}${rest}`] };
    return [{ part: 'body', path, demand: { kind: 'fits', schema }, sentence: '' }];
  });
}

function textsIn(body: unknown): ReturnType<typeof textsBelow> {
  return textsBelow(body, MAX_NESTED_LEVELS, { inLists: false });
}
