// ERR-11 (must): A listed code comes with its type and status. Tolerance: The code of refused input with 422:
//   advisory. Unlisted codes and types are allowed and never judged; they are collected as observations.
import { type Breach, breached, noting, type Observed } from '../../contract/judgement.ts';
import type { ErrorTerms } from '../../contract/terms.ts';
import { isCode, placeName } from '../../exchange/envelope.ts';
import { shortened } from '../../facts/answered.ts';
import { err } from '../../wording/err.ts';
import type { Subject } from '../check.ts';
import { seenOnce } from '../observation.ts';
import { errorCheck } from './error-check.ts';
import { isOfForm, type PlacedText, statusesIn, type ToldError, textIn, textsIn } from './error-object.ts';

/** Longer names are not collected: no catalogue has them. */
const LONGEST_NAME = 64;

export const err11 = errorCheck({
  clause: 'ERR-11',
  title: 'A listed error code comes with its type and status',
  about: (error) =>
    textsIn(error, 'code').some(({ text }) => listedAs(text, error.terms) !== null) || unlisted(error).length > 0,
  judge(error, subject) {
    const codes = textsIn(error, 'code');
    const listed = codes.flatMap((placed, index) => {
      const name = listedAs(placed.text, error.terms);
      return name === null ? [] : [{ placed, name, index }];
    });
    if (listed.length === 0) {
      const status = subject.exchange.response?.status ?? 0;
      return noting(breached(unlisted(error), 0), rowOf(error, status));
    }
    const breaches = listed.flatMap((one) => [...typeBreaches(error, one), ...statusBreaches(error, one, subject)]);
    return breached(breaches, 2 * listed.length);
  },
});

/** One code of an error that the contract lists. */
interface Listed {
  readonly placed: PlacedText;
  /** As the contract writes it. */
  readonly name: string;
  /** Among the codes of the error. */
  readonly index: number;
}

function listedAs(code: string, { codes }: ErrorTerms): string | null {
  if (Object.hasOwn(codes, code)) return code;
  return Object.keys(codes).find((listed) => isCode(code, listed)) ?? null;
}

function typeBreaches(error: ToldError, { name }: Listed): readonly Breach[] {
  const expected = error.terms.codes[name]?.type ?? null;
  const [placed] = textsIn(error, 'type');
  if (expected === null || placed === undefined || placed.text === expected) return [];
  const actual = shortened(placed.text);
  const subject = placeName(error.terms.members.type?.at ?? '');
  const told = err('err-11.other-type', { subject, code: name, actual, expected }, name);
  return [{ weight: 'breach', ...told, expected, actual, pointer: placed.pointer }];
}

function statusBreaches(error: ToldError, { placed, name, index }: Listed, subject: Subject): readonly Breach[] {
  const status = subject.exchange.response?.status ?? 0;
  const listed = error.terms.codes[name]?.status;
  // Where the body states the listed status and HTTP another one, the two differ: ERR-04 has it.
  const stated = statusesIn(error)[index]?.status;
  if (listed === undefined || status === listed || stated === listed) return [];
  const weight = weightOf(name, status, subject);
  if (weight === null) return [];
  const [actual, expected] = [String(status), String(listed)];
  const told = err('err-11.other-status', { code: name, actual, expected }, name);
  return [{ weight, ...told, expected, actual, pointer: placed.pointer }];
}

/**
 * The weight of another status than the listed one. The code for refused input may come with any status that the
 * contract has for it; null: it is in order.
 */
function weightOf(code: string, status: number, { terms, contract }: Subject): Breach['weight'] | null {
  const { invalid } = terms.requests;
  if (code !== invalid?.code) return 'breach';
  if (invalid.statuses.includes(status)) return null;
  return contract === 'commerce' && status === 422 ? 'advisory' : 'breach';
}

/** The row of an unlisted code: which type and status it comes with. */
function rowOf(error: ToldError, status: number): readonly Observed[] {
  const [code, type] = [textIn(error, 'code'), textIn(error, 'type')];
  if (code === null || !isCollected(code, error.terms)) return [];
  const isTyped = type !== null && isCollected(type, error.terms);
  const untyped = error.terms.members.type === undefined ? '' : ' with no type that is a snake_case name';
  return [seenOnce(`the code ${code}`, `${status}${isTyped ? ` ${type}` : untyped}`, 'error answers')];
}

function isCollected(name: string, { members }: ErrorTerms): boolean {
  return name.length <= LONGEST_NAME && isOfForm(name, members.code?.form ?? null);
}

/** Observations of an unlisted code and of the type it comes with. */
function unlisted(error: ToldError): readonly Breach[] {
  return textIn(error, 'code') === null ? [] : [...collected(error, 'code'), ...collected(error, 'type')];
}

/** The observation of a name that the source does not list. The name is its cause: each is listed once. */
function collected(error: ToldError, role: 'code' | 'type'): readonly Breach[] {
  const [placed] = textsIn(error, role);
  const types = Object.values(error.terms.codes).map(({ type }) => type);
  if (placed === undefined || !isCollected(placed.text, error.terms) || types.includes(placed.text)) return [];
  const { text: name, pointer } = placed;
  const subject = placeName(error.terms.members[role]?.at ?? '');
  return [
    {
      weight: 'observation',
      ...err(`err-11.unlisted-${role}`, { subject, name }, name),
      expected: 'any: unlisted codes and types are allowed',
      actual: name,
      pointer,
    },
  ];
}
