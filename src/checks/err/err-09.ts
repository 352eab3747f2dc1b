// ERR-09 (must): Errors of refused input name the members that offend. Tolerance: Malformed JSON may name none when
//   its code is another one.
import { type Breach, breached } from '../../contract/judgement.ts';
import type { ErrorRole, MemberTerms } from '../../contract/terms.ts';
import { lastName, placedAt, placeName, toldAt } from '../../exchange/envelope.ts';
import { shortened, typeName } from '../../facts/answered.ts';
import { isObject } from '../../openapi/json.ts';
import { err } from '../../wording/err.ts';
import { errorCheck } from './error-check.ts';
import { isOfForm, type ToldError } from './error-object.ts';
import { isTyped, isValidationError, mayBlameWholeBody, mayLackNames, topLevelNames } from './validation-request.ts';

/** Breaches of one exchange that are reported: a list of a thousand bad entries is one defect. */
const MOST_BREACHES = 10;

export const err09 = errorCheck({
  clause: 'ERR-09',
  title: 'A validation error names the members that offend',
  about: (error, subject) =>
    (error.terms.members.param ?? error.terms.members.field) !== undefined && isValidationError(error, subject),
  judge(error, subject) {
    const mayBeEmpty = mayBlameWholeBody(subject) || topLevelNames(subject).has('');
    const mayLack = mayLackNames(error, subject);
    const naming = { mayBeEmpty, mayLack, mayListNothing: mayLack && !isTyped(error, subject.terms) };
    const breaches = [...paramBreaches(error, naming), ...fieldBreaches(error, naming)];
    return breached(breaches.slice(0, MOST_BREACHES), 2);
  },
});

interface Naming {
  /** True where nothing of the request has a name, or something an empty one: a name may be empty then. */
  readonly mayBeEmpty: boolean;
  /** True where names may be left out altogether. */
  readonly mayLack: boolean;
  /** True where their list may be empty, too, or a text may stand in its place. */
  readonly mayListNothing: boolean;
}

/** A member with its place in one error. */
interface PlacedMember extends MemberTerms {
  readonly role: ErrorRole;
  readonly pointer: string;
  readonly value: unknown;
}

function paramBreaches({ body, terms }: ToldError, naming: Naming): readonly Breach[] {
  const { param } = terms.members;
  if (param === undefined) return [];
  return placedAt(body, param.at).flatMap((one) => nameBreaches({ role: 'param', ...param, ...one }, naming));
}

/** The list of members that offend, or the one place that names one. */
function fieldBreaches(error: ToldError, naming: Naming): readonly Breach[] {
  const { field } = error.terms.members;
  if (field === undefined) return [];
  if (field.form === 'keys')
    return toldAt(error, field).flatMap((one) => nameBreaches({ role: 'field', ...field, ...one }, naming));
  const [list = '', entryPlace] = field.at.split('/*');
  const [placed] = placedAt(error.body, list);
  if (placed === undefined) return [];
  if (entryPlace === undefined) return nameBreaches({ role: 'field', ...field, ...placed }, naming);
  const { value, pointer } = placed;
  if (value == null && (naming.mayLack || field.isOptional)) return [];
  const isListed = Array.isArray(value) && value.length > 0;
  if (!isListed && (naming.mayListNothing || (Array.isArray(value) && field.isOptional))) return [];
  if (!isListed) {
    const actual = Array.isArray(value) ? 'an empty list' : typeName(value);
    return [breachAt(pointer, lastName(list), placeName(list), 'a non-empty list', actual)];
  }
  return value.flatMap((entry, index) => entryBreaches(error, list, { entry, pointer: `${pointer}/${index}` }, naming));
}

const ENTRY_ROLES = ['field', 'fieldCode', 'fieldMessage'] as const;

function entryBreaches(
  { terms: { members } }: ToldError,
  list: string,
  { entry, pointer }: { readonly entry: unknown; readonly pointer: string },
  naming: Naming,
): readonly Breach[] {
  const own = ENTRY_ROLES.flatMap((role) => {
    const member = members[role];
    return member?.at.startsWith(`${list}/*`) === true ? [{ role, ...member }] : [];
  });
  if (!isObject(entry)) {
    const expected = `an object of ${own.map(({ at }) => lastName(at)).join(', ')}`;
    return [breachAt(pointer, 'entry', `${placeName(list)}[]`, expected, typeName(entry))];
  }
  return own.flatMap((member) =>
    toldAt({ body: entry, headers: [] }, { ...member, at: member.at.slice(list.length + 2) }).flatMap((placed) => {
      const one = { ...member, value: placed.value, pointer: `${pointer}${placed.pointer}` };
      return member.role === 'field' ? nameBreaches(one, naming) : textBreaches(one);
    }),
  );
}

/** A name: a text in the form that the contract states, empty only when there is no field to name. */
function nameBreaches({ at, form, isOptional, pointer, value }: PlacedMember, naming: Naming): readonly Breach[] {
  if (value == null && (naming.mayLack || isOptional)) return [];
  const isRoot = value === '' && form === 'pointer';
  const isText = typeof value === 'string' && (value !== '' || naming.mayBeEmpty || isRoot);
  if (!isText) {
    const actual = value === '' ? 'an empty string' : typeName(value);
    return [breachAt(pointer, lastName(at), placeName(at), 'a non-empty string', actual)];
  }
  const isWritten = form !== 'pointer' || /^(#?\/|#?$)/.test(value);
  return isWritten ? [] : [breachAt(pointer, lastName(at), placeName(at), 'a JSON pointer', shortened(value))];
}

/** The breaches of a member that offends. */
function textBreaches({ role, at, form, isOptional, pointer, value }: PlacedMember): readonly Breach[] {
  if (value == null && isOptional) return [];
  const isCode = role === 'fieldCode';
  if (typeof value === 'string' && (!isCode || isOfForm(value, form))) return [];
  const expected = isCode && form !== null ? `a ${form} string` : 'a string';
  const actual = isCode && typeof value === 'string' ? shortened(value) : typeName(value);
  return [breachAt(pointer, lastName(at), placeName(at), expected, actual)];
}

function breachAt(pointer: string, member: string, subject: string, expected: string, actual: string): Breach {
  const kind = actual === 'absent' ? 'err-09.absent' : 'err-09.malformed';
  return { weight: 'breach', ...err(kind, { subject, actual, expected }, member), expected, actual, pointer };
}
