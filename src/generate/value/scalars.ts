// Strings and numbers of a form.
import { oncePerValue } from '../../exchange/once-per.ts';
import { CannotGenerate } from '../cannot-generate.ts';
import type { Chance } from '../chance.ts';
import { lengthInWords, Matching } from '../patterns/matching.ts';
import { isNumberOf, isStringOf } from '../schema/conforms.ts';
import type { Form } from '../schema/form.ts';
import { amountThatLosesACent, gridOf } from '../schema/numbers.ts';
import { formatTexts, isKnownFormat, labelOf } from './formats.ts';

/** Lengths that a text has where the schema leaves it open. */
const [SHORT, LONG] = [6, 12];
const MAX_TRIES = 12;
/** A number that may be anything is one of these. */
const [SMALL, LARGE] = [1, 100];
/** Members that name things by their numbers. */
const ID = /(^|[_-])ids?$|[a-z]I[dD]s?$/;
/** Ids that hardly anything has, within 32 bits. */
const [MIN_RARE_ID, MAX_RARE_ID] = [1_900_000_000, 2_100_000_000];

/** Throws CannotGenerate where no text is found that obeys all string keywords of the form. */
export function stringOf(form: Form, chance: Chance): string {
  for (const candidate of candidates(form, chance)) if (isStringOf(form, candidate)) return candidate;
  const demands = [
    ...form.formats.map((format) => `of format ${format}`),
    ...form.patterns.map((one) => `matches ${one}`),
  ];
  const length = lengthInWords(form.minLength, form.maxLength);
  throw new CannotGenerate(`no text${length} was found that is ${demands.join(' and ') || 'as it must be'}`);
}

function* candidates(form: Form, chance: Chance): Generator<string> {
  const { minLength, maxLength, patterns, antipatterns } = form;
  for (const format of [...form.formats, ...form.encodings].filter(isKnownFormat)) {
    for (let attempt = 0; attempt < MAX_TRIES / 4; attempt += 1)
      yield* formatTexts(format, minLength, maxLength, chance);
  }
  if (patterns.length > 0 || antipatterns.length > 0) {
    const matching = matchingOf(form);
    for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) yield matching.draw(chance);
    return;
  }
  const low = Math.min(Math.max(minLength, SHORT), maxLength);
  const high = Math.min(maxLength, Math.max(minLength, LONG));
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) yield labelOf(chance.between(low, high), chance);
}

/** Kept, since a pattern occurs again and again; Twilio's description has one of them 332 times. */
const matchingOfKey = oncePerValue((_: string, form: Form) => new Matching(form));

function matchingOf(form: Form): Matching {
  return matchingOfKey(JSON.stringify([form.patterns, form.antipatterns, form.minLength, form.maxLength]), form);
}

/** Throws CannotGenerate where the form's numeric keywords leave no number. `name`: that of the member. */
export function numberOf(asked: Form, chance: Chance, name = ''): number {
  const form = rareWhereNamed(name, asked, chance);
  const grid = gridOf(form);
  if (grid === null) throw new CannotGenerate('no number lies within all of its bounds');
  const step = grid.at(1) - grid.at(0);
  // Small numbers are likelier to be accepted: a price or a quantity in the billions is not.
  const one = Math.ceil(SMALL / step);
  const first = one > grid.last ? Math.max(grid.first, grid.last - LARGE) : Math.max(grid.first, one);
  const last = Math.min(grid.last, Math.max(Math.floor(LARGE / step), first + LARGE));
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    const drawn = grid.at(chance.between(first, last));
    const amount = form.whole ? null : amountThatLosesACent(drawn);
    for (const one of [amount, drawn]) {
      if (one !== null && isNumberOf(form, one) && !form.excluded.includes(one)) return one;
    }
  }
  for (const k of [grid.first, grid.last, 0]) {
    const value = grid.at(within(k, grid.first, grid.last));
    if (isNumberOf(form, value) && !form.excluded.includes(value)) return value;
  }
  throw new CannotGenerate('no number was found that obeys all of its numeric keywords');
}

/** Narrowed to rare ids, where a member is named as one: a small id names what others made, and a request may take that away. */
function rareWhereNamed(name: string, form: Form, chance: Chance): Form {
  const admits = form.whole && form.low.value <= MIN_RARE_ID && form.high.value >= MAX_RARE_ID;
  if (!admits || !ID.test(name)) return form;
  return { ...form, low: { value: chance.between(MIN_RARE_ID, MAX_RARE_ID - LARGE), open: false } };
}

function within(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}
