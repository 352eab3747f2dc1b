// The errors of a drafted contract: which member plays which role, told by names and by values.
import { plural } from '../../contract/numbers.ts';
import { shippedContract } from '../../contract/shipped.ts';
import type { ErrorRole } from '../../contract/terms.ts';
import type { MemberDocument } from '../../contract/terms-of.ts';
import { epochOfIso8601 } from '../../exchange/iso-8601.ts';
import { headerName, type Leaf, leavesOf, nameOf, type Seen, scalar } from '../../facts/seen.ts';
import { isObject, valueAt } from '../../openapi/json.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { fieldLine } from './drafted-fields.ts';
import { type Line, line, NOTHING, type Part, remark } from './parts.ts';

/** An error whose body is an object. */
interface ErrorSeen extends Seen {
  readonly leaves: readonly Leaf[];
}

/** How a role is told. */
interface RoleForm {
  readonly role: ErrorRole;
  /** Names of members, the likeliest first. */
  readonly names: readonly string[];
  /** Tells whether such a value may play the role in this error. */
  fits(value: unknown, error: Seen): boolean;
  /** Tells whether all values together may play the role; absent: any may. */
  readonly fitsTogether?: (values: readonly string[], errors: readonly Seen[]) => boolean;
  /** The evidence. */
  why(values: readonly string[], first: Seen): string;
}

const MEDIA_PRESETS: Readonly<Record<string, string>> = {
  'application/problem+json': 'problem-details',
  'application/vnd.api+json': 'json-api',
};

const CODE = /^[A-Za-z][A-Za-z0-9_.:-]{2,60}$/;
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isUri = (value: string): boolean => /^[a-z][a-z0-9+.-]*:\S+$/i.test(value);
const differ = (values: readonly string[]): boolean => new Set(values).size === values.length;
const said = (words: string) => (_: readonly string[], first: Seen) => `${nameOf(first)}: ${words}`;
/** Statuses that differ have codes that differ; one status tells nothing. */
const followsStatus = (values: readonly string[], errors: readonly Seen[]): boolean =>
  new Set(errors.map(({ status }) => status)).size < 2 || new Set(values).size > 1;

/** In the order in which members are given away. */
const ROLES: readonly RoleForm[] = [
  {
    role: 'status',
    names: ['status', 'statuscode', 'httpstatus', 'httpstatuscode', 'httpcode', 'code', 'errorcode'],
    fits: (value, { status }) => Number(value) === status && value !== '',
    why: (_, first) => `${nameOf(first)}: it is ${first.status}`,
  },
  {
    role: 'instance',
    names: ['instance', 'path', 'requestpath', 'uri', 'url'],
    fits: (value, { path }) => isText(value) && value.replace(/^https?:\/\/[^/]+/, '').split('?', 1)[0] === path,
    why: said('the path that was asked for'),
  },
  {
    role: 'timestamp',
    names: ['timestamp', 'time', 'datetime', 'date', 'occurredat', 'createdat'],
    fits: (value) => isText(value) && epochOfIso8601(value) !== null,
    why: said('a time of ISO 8601'),
  },
  {
    role: 'requestId',
    names: [
      'requestid',
      'traceid',
      'correlationid',
      'reqid',
      'xrequestid',
      'transactionid',
      'errorid',
      'eventid',
      'id',
    ],
    fits: (value) => isText(value) && value.length >= 8,
    fitsTogether: (values) => values.length > 1 && differ(values),
    why: (values) => `differs in all of ${plural(values.length, 'error')}`,
  },
  {
    role: 'docUrl',
    names: ['docurl', 'documentationurl', 'documentation', 'helpurl', 'help', 'moreinfo', 'href', 'about'],
    fits: (value) => isText(value) && /^https?:\/\//.test(value),
    why: said('an address of documentation'),
  },
  {
    role: 'code',
    names: ['code', 'errorcode', 'errcode', 'type', 'error', 'key', 'reason', 'name'],
    fits: (value) => isText(value) && (CODE.test(value) || isUri(value)),
    fitsTogether: followsStatus,
    why: (values, first) => `${nameOf(first)}: ${values[0]}`,
  },
  { role: 'type', names: ['type', 'category', 'kind'], fits: isText, why: said('a category') },
  { role: 'title', names: ['title', 'error', 'summary', 'reason', 'name'], fits: isText, why: said('a title') },
  {
    role: 'message',
    names: ['message', 'detail', 'msg', 'description', 'errordescription', 'errormessage', 'error', 'details'],
    fits: isText,
    why: said('a text for people'),
  },
  {
    role: 'field',
    names: ['*field', '*pointer', '*path', '*name', '*property', '*param', '*parameter'],
    fits: isText,
    why: said('names what offended'),
  },
  { role: 'param', names: ['param', 'parameter', 'field'], fits: isText, why: said('names what offended') },
];

/** Roles that belong to refused input: other errors leave them out. */
const OF_INPUT: readonly ErrorRole[] = ['field', 'param'];

/** Its envelope, members and codes, and what calls that are refused get. */
export function draftedErrors(seen: readonly Seen[], descriptions: readonly Description[]): Part {
  const all = seen.filter(({ status }) => status >= 400);
  const errors = all.flatMap((one) => (isObject(one.body) ? [{ ...one, leaves: leavesOf(one.body) }] : []));
  const [first] = errors;
  const strangers = strangerLines(all.filter(({ body }) => !isObject(body)));
  if (first === undefined) return { ...NOTHING, lines: [...strangers, ...NO_ERRORS] };
  const preset = errors.every(({ mediaType }) => mediaType === first.mediaType)
    ? MEDIA_PRESETS[first.mediaType ?? '']
    : undefined;
  const known = preset === undefined ? {} : (shippedContract(preset).errors?.members ?? {});
  const roles = rolesIn(errors);
  const members = [
    ...roles.flatMap((one) => memberLine(one, errors, known[one.role])),
    ...(roles.some(({ role }) => role === 'requestId') ? [] : idHeaderLine(errors)),
    ...(roles.some(({ role }) => role === 'field') ? [] : fieldLine(errors)),
  ];
  const code = roles.find(({ role }) => role === 'code') ?? null;
  const own = [...envelopeLines(errors), ...memberLines(members), ...codeLines(code, errors)];
  return {
    extends: preset === undefined ? [] : [line(preset, `${nameOf(first)} is ${first.mediaType}`)],
    lines: [
      ...(own.length === 0 ? [] : [line('errors:'), ...own]),
      ...(own.length === 0 && preset === undefined ? NO_MEMBERS : []),
      ...strangers,
      ...refusalLines(errors, code, declaredOf(descriptions, [400, 422])),
    ],
  };
}

const NO_ERRORS: readonly Line[] = [
  remark('No error in JSON was seen. Where does one say its status and its code? Such as:'),
  remark('errors: { members: { status: /status, code: /code } }'),
];

const NO_MEMBERS: readonly Line[] = [
  remark(
    'No member of all errors tells a status or a code: where does a program look? errors: { members: { code: /code } }',
  ),
];

/** A line for each media type. */
function strangerLines(seen: readonly Seen[]): readonly Line[] {
  return [...Map.groupBy(seen, ({ mediaType }) => mediaType)].flatMap(([mediaType, own]) => {
    const [first] = own;
    if (first === undefined) return [];
    const more = own.length > 1 ? ` and ${own.length - 1} more` : '';
    const what = `${mediaType ?? 'without a type'}, and no JSON object: is it meant so?`;
    return [remark(`${nameOf(first)}${more}: ${what}`)];
  });
}

interface RoleSeen {
  readonly role: ErrorRole;
  readonly at: string;
  readonly values: readonly string[];
  readonly why: string;
  readonly isAlways: boolean;
}

/** Each role with its place, no place twice. */
function rolesIn(errors: readonly ErrorSeen[]): readonly RoleSeen[] {
  const places = new Set(errors.flatMap(({ leaves }) => leaves.map(({ at }) => at)));
  const taken = new Set<string>();
  return ROLES.flatMap((form) => {
    const found = [...places]
      .filter((at) => !taken.has(at))
      .flatMap((at) => roleAt(form, at, errors))
      .toSorted((left, right) => left.rank - right.rank || left.at.length - right.at.length)[0];
    if (found === undefined) return [];
    taken.add(found.at);
    return [found];
  });
}

function roleAt(form: RoleForm, at: string, errors: readonly ErrorSeen[]): readonly (RoleSeen & { rank: number })[] {
  const isInList = at.includes('/*');
  // A text in some errors that is a list or an object in others is no text of all.
  if (!isInList && errors.some(({ body }) => typeof (valueAt(body, at) ?? '') === 'object')) return [];
  const having = errors.flatMap((error) => {
    const leaves = error.leaves.filter((leaf) => leaf.at === at);
    return leaves.length === 0 ? [] : [{ error, leaves }];
  });
  const name = having[0]?.leaves[0]?.name ?? '';
  const rank = form.names.indexOf(isInList ? `*${name}` : name);
  const [first] = having;
  if (rank < 0 || first === undefined) return [];
  if (!having.every(({ error, leaves }) => leaves.every(({ value }) => form.fits(value, error)))) return [];
  const values = having.map(({ leaves }) => String(leaves[0]?.value));
  const isFit =
    form.fitsTogether?.(
      values,
      having.map(({ error }) => error),
    ) ?? true;
  if (!isFit) return [];
  const isAlways = having.length === errors.length;
  return [{ rank, role: form.role, at, values, why: form.why(values, first.error), isAlways }];
}

/** None where the preset says the same. */
function memberLine(
  { role, at, values, why, isAlways }: RoleSeen,
  errors: readonly ErrorSeen[],
  known: MemberDocument | undefined,
): readonly Line[] {
  if ((typeof known === 'object' && known !== null && 'at' in known ? known.at : known) === at) return [];
  const form =
    role === 'code'
      ? formOf(values)
      : role === 'field' && values.every((one) => one.startsWith('/'))
        ? 'pointer'
        : null;
  // Errors of one status say little of the others.
  const isOfOneStatus = new Set(errors.map(({ status }) => status)).size < 2;
  const isOptional = !isAlways || isOfOneStatus || OF_INPUT.includes(role);
  const parts = [
    `at: ${scalar(at)}`,
    ...(isOptional ? ['optional: true'] : []),
    ...(form === null ? [] : [`form: ${scalar(form)}`]),
  ];
  const text = parts.length === 1 ? `    ${role}: ${scalar(at)}` : `    ${role}: { ${parts.join(', ')} }`;
  const asked = isOfOneStatus ? '; do errors of other statuses always have it?' : '';
  const share =
    isAlways || OF_INPUT.includes(role) ? asked : `; in ${values.length} of ${plural(errors.length, 'error')}`;
  return [line(text, `${why}${share}`)];
}

const ID_HEADER = /^(x-)?(request|correlation|trace)-?id$/i;

/** A header that identifies the request, where all errors have one that differs. */
function idHeaderLine(errors: readonly ErrorSeen[]): readonly Line[] {
  const name = errors[0]?.headers.find(([own]) => ID_HEADER.test(own))?.[0];
  if (name === undefined || errors.length < 2) return [];
  const values = errors.flatMap(({ headers }) => headers.filter(([own]) => own.toLowerCase() === name.toLowerCase()));
  const isId = values.length === errors.length && differ(values.map(([, value]) => value));
  if (!isId) return [];
  return [
    line(`    requestId: { header: ${headerName(name)} }`, `differs in all of ${plural(errors.length, 'error')}`),
  ];
}

/** null: of no form that has a name. */
function formOf(codes: readonly string[]): string | null {
  const all = (pattern: RegExp): boolean => codes.every((code) => pattern.test(code));
  if (codes.every(isUri)) return 'uri';
  if (all(/^[a-z0-9]+(_[a-z0-9]+)*$/)) return 'snake_case';
  if (all(/^[a-z0-9]+(-[a-z0-9]+)*$/)) return 'kebab-case';
  return all(/^[A-Z0-9]+(_[A-Z0-9]+)*$/) ? '^[A-Z0-9]+(_[A-Z0-9]+)*$' : null;
}

function memberLines(members: readonly Line[]): readonly Line[] {
  return members.length === 0 ? [] : [line('  members:'), ...members];
}

/** Where all errors stand under one member. */
function envelopeLines(errors: readonly ErrorSeen[]): readonly Line[] {
  const names = errors.map(({ body }) => (isObject(body) ? Object.keys(body) : []));
  const [name, ...others] = names[0] ?? [];
  const isEnvelope =
    name !== undefined &&
    others.length === 0 &&
    names.every((own) => own.length === 1 && own[0] === name) &&
    errors.every(({ body }) => isObject(body) && isObject(body[name]));
  if (!isEnvelope) return [];
  return [
    line(`  envelope: ${scalar(`/${name}`)}`, `the only member at the top of ${plural(errors.length, 'error')}`),
    line('  success: never', `is a success never of this form? (ERR-13)`),
  ];
}

const MOST_CODES = 6;

/** Codes that are no addresses, each with its status. */
function codeLines(code: RoleSeen | null, errors: readonly ErrorSeen[]): readonly Line[] {
  // Where most errors have none, the few that do tell little of statuses.
  if (code === null || !code.isAlways || formOf(code.values) === 'uri') return [];
  const statuses = new Map<string, Set<number>>();
  for (const error of errors) {
    const value = codeIn(error, code);
    if (value !== null) statuses.set(value, (statuses.get(value) ?? new Set()).add(error.status));
  }
  const single = [...statuses].filter(([, own]) => own.size === 1).slice(0, MOST_CODES);
  if (single.length === 0) return [];
  const pairs = single.map(([value, own]) => `${scalar(value)}: ${[...own][0]}`);
  return [line(`  codes: { ${pairs.join(', ')} }`, 'seen; which others are there?')];
}

function codeIn({ leaves }: ErrorSeen, { at }: RoleSeen): string | null {
  const leaf = leaves.find((one) => one.at === at);
  return leaf === undefined ? null : String(leaf.value);
}

/** The answers to calls that lack a key, a path or a sound value, as lines of the contract. */
function refusalLines(
  errors: readonly ErrorSeen[],
  code: RoleSeen | null,
  ofBadInput: readonly number[],
): readonly Line[] {
  const answered = (key: string, purpose: Seen['purpose'], alike = purpose, declared: readonly number[] = []) => {
    const told = errors.filter((one) => (one.purpose === purpose || one.purpose === alike) && one.status < 500);
    const error = told.find((one) => one.purpose === purpose);
    if (error === undefined) return [];
    const codes = new Set(code === null ? [] : told.map((one) => codeIn(one, code)));
    const [value = null] = codes;
    // A code that one answer alone shows may be that of this path, or of this value.
    const said = told.length < 2 || codes.size !== 1 || value === null ? '' : `, code: ${scalar(value)}`;
    const own = told.filter((one) => one.purpose === purpose).map(({ status }) => status);
    const statuses = [...new Set([...own, ...declared])].toSorted((left, right) => left - right);
    const status = statuses.length === 1 ? String(error.status) : `[${statuses.join(', ')}]`;
    const others = declared.some((one) => !own.includes(one)) ? '; the others are declared' : '';
    const why = `${nameOf(error)}, ${WORDS[purpose]}${others}`;
    return [line(`  ${key}: { status: ${status}${said} }`, why)];
  };
  const refused = answered('refused', 'no key');
  const unknown = answered('unknownPath', 'unknown path', 'unknown id');
  const invalid = answered('invalid', 'bad value', 'bad value', ofBadInput);
  return [
    ...(refused.length === 0 ? [] : [line('authentication:'), ...refused]),
    ...(unknown.length + invalid.length === 0 ? [] : [line('requests:'), ...unknown, ...invalid]),
  ];
}

/** Which of the statuses some operation declares. */
function declaredOf(descriptions: readonly Description[], statuses: readonly number[]): readonly number[] {
  const all = new Set(
    descriptions.flatMap(({ operations }) => operations.flatMap(({ responses }) => responses.map((one) => one.status))),
  );
  return statuses.filter((status) => all.has(String(status)));
}

const WORDS: Readonly<Record<Seen['purpose'], string>> = {
  plain: 'as described',
  'one item': 'one item asked for',
  'unknown path': 'a path that is not described',
  'unknown id': 'an id that nothing has',
  'no key': 'without a key',
  'bad value': 'a text for a number',
  'known state': 'by its ETag',
};
