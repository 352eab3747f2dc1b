// Defects of errors: what one lacks, tells wrongly, or must not tell, at the places that the contract names.
import { ERROR_WIDE_ROLES, type ErrorRole, type ErrorTerms, isHeader, type Terms } from '../contract/terms.ts';
import { isCode, isListed, toldAt } from '../exchange/envelope.ts';
import { isObject, type JsonObject, valueAt } from '../openapi/json.ts';
import { type Answer, type Difference, type Named, named, withAt } from './defect.ts';
import { placesOf, type Resolve, replaced } from './schema-places.ts';
import { SCHEMA_DEFECTS } from './schemas.ts';

/** An error, and the request that it answers. */
export interface SeenError extends Answer {
  readonly body: JsonObject;
  readonly errors: ErrorTerms;
  readonly requests: Terms['requests'];
  /** The described path of the request; null where no description has it. */
  readonly template: string | null;
  readonly path: string;
  /** The JSON that was sent; undefined where none was. */
  readonly sent: unknown;
  /** The value of the header Authorization, as far as it is known. */
  readonly authorization: string;
  /** The id of its request that the error before told; null: none was. */
  readonly earlierId: string | null;
}

/** An error, and what the contract states of such. */
export type ToldError = Pick<SeenError, 'body' | 'headers' | 'errors'>;

export interface ErrorDefect extends Named {
  /** Tells whether the contract's errors can have it. */
  has(errors: ErrorTerms): boolean;
  /** input: only errors about refused input have it. items: only where the described path names an item. Absent: any error. */
  readonly on?: 'input' | 'items';
  /** null where this error cannot show it. */
  change(error: SeenError): Difference | null;
}

type More = Partial<Pick<ErrorDefect, 'has' | 'on'>>;

/** Defects by their names: what each says, and how. */
type Kinds<T> = Readonly<Record<string, readonly [says: string, how: T]>>;

/** Values by the roles of their members; undefined: the member is left out. */
export type Told = Readonly<Partial<Record<ErrorRole, unknown>>>;

/** The first value that stands where the error has the role. */
function valueIn(error: ToldError, role: ErrorRole): unknown {
  const member = error.errors.members[role];
  return member === undefined ? undefined : toldAt(error, member)[0]?.value;
}

/** The first text, or number, that stands there; null for none. */
function textAt(error: ToldError, role: ErrorRole): string | null {
  const value = valueIn(error, role);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

/** The difference of an error that tells this. */
export function telling(body: unknown, told: Told, { members }: ErrorTerms): Difference {
  const places = Object.entries(told).flatMap(([role, value]) => {
    const at = members[role as ErrorRole]?.at;
    return at === undefined ? [] : [[at, value] as const];
  });
  const headers = places.filter(([at]) => isHeader(at)).map(([at, value]) => [at.toLowerCase(), value ?? null]);
  const json = places
    .filter(([at]) => !isHeader(at))
    .reduce((changed, [at, value]) => withAt(changed, at, value), body);
  return { json, headers: Object.fromEntries(headers) };
}

/** Defects of errors as a whole. */
export function ofErrors(
  clause: string,
  kinds: Kinds<(error: SeenError) => Difference | null>,
  more: More = {},
): readonly ErrorDefect[] {
  return Object.entries(kinds).map(([name, [says, change]]) => ({
    ...{ ...named(clause, name, says), has: () => true, ...more },
    change: (error) => (more.on === 'input' && !isOfInput(error) ? null : change(error)),
  }));
}

/** Defects of one member: the value in place of the text that stands there. */
export function ofMember(
  clause: string,
  role: ErrorRole,
  kinds: Kinds<string | number | undefined | ((text: string, error: SeenError) => unknown)>,
  more: More = {},
): readonly ErrorDefect[] {
  const changes = Object.entries(kinds).map(([name, [says, value]]) => {
    const change = (error: SeenError): Difference | null => {
      const [told, text] = [valueIn(error, role), textAt(error, role)];
      if (text === null) return null;
      const other = typeof value === 'function' ? value(text, error) : value;
      return other === told ? null : telling(error.body, { [role]: other }, error.errors);
    };
    return [name, [says, change] as const] as const;
  });
  const has = (errors: ErrorTerms): boolean => errors.members[role] !== undefined;
  return ofErrors(clause, Object.fromEntries(changes), { has, ...more });
}

/** The error with another code, and the documentation of that code. */
export function recoded(error: ToldError, code: string): Difference {
  const docUrl = textAt(error, 'docUrl')?.replace(/[^/]*$/, code);
  return telling(error.body, { code, ...(docUrl === undefined ? {} : { docUrl }) }, error.errors);
}

/** The error under another status, or with another code; null: with its own. */
export function retold(error: ToldError, status: number | null, code: string | null): Difference {
  const { json = error.body } = code === null ? {} : recoded(error, code);
  return status === null ? { json } : { ...telling(json, { status }, error.errors), status };
}

/** Tells whether the error is one of refused input that names members. */
function isOfInput(error: SeenError): boolean {
  const code = error.requests.invalid?.code ?? null;
  return code !== null && isCode(textAt(error, 'code') ?? '', code) && textAt(error, 'field') !== null;
}

/** The list in which fields stand; null for none, and where it is the envelope itself. */
function listOf({ envelope, members: { field } }: ErrorTerms): string | null {
  const list = field?.at.includes('/*') === true ? field.at.slice(0, field.at.indexOf('/*')) : null;
  return list === envelope ? null : list;
}

function withList({ body, errors }: SeenError, value: unknown): Difference | null {
  const list = listOf(errors);
  return list === null ? null : { json: withAt(body, list, value) };
}

const enclosed = ({ body, errors }: SeenError): unknown => valueAt(body, errors.envelope ?? '');
const always = (role: ErrorRole): More => ({ has: (errors) => errors.members[role]?.isOptional === false });
const isJoined = ({ members }: ErrorTerms): boolean => /^(snake_case|kebab-case)$/.test(members.code?.form ?? '');

function inKebabCase(role: string): string {
  return role.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function inPascalCase(code: string): string {
  return code.replaceAll(/(?:^|[^a-z0-9])([a-z0-9])/gi, (_all, letter: string) => letter.toUpperCase());
}

/** Words for members, however the contract names them. */
const WORDS: Readonly<Partial<Record<ErrorRole, string>>> = {
  docUrl: 'the address of their documentation',
  requestId: "their request's id",
};

const PRESENCE: readonly ErrorDefect[] = [
  ...ofErrors('ERR-01', {
    html: ['Errors are pages of HTML.', () => ({ text: '<html><body>error</body></html>' })],
    empty: ['Errors have no body.', () => ({ text: '' })],
  }),
  ...ofErrors(
    'ERR-01',
    {
      bare: ['Errors stand without their envelope.', (error) => ({ json: enclosed(error) })],
      list: ['Errors are told in a list.', (error) => ({ json: [enclosed(error)] })],
      'second-member': [
        'Another member stands beside the envelope.',
        ({ body }) => ({ json: { success: false, ...body } }),
      ],
    },
    { has: ({ envelope, members }) => envelope !== null && !isListed(envelope, members) },
  ),
  ...ERROR_WIDE_ROLES.flatMap((role) => {
    const kinds = {
      [`no-${inKebabCase(role)}`]: [`Errors lack ${WORDS[role] ?? `their ${role}`}.`, undefined] as const,
    };
    return ofMember('ERR-02', role, kinds, always(role));
  }),
  ...ofMember(
    'ERR-02',
    'title',
    { 'blank-title': ['Errors have a title of blanks.', '  '], 'empty-title': ['Errors have an empty title.', ''] },
    always('title'),
  ),
  ...ofMember(
    'ERR-02',
    'status',
    { 'status-as-text': ['Errors tell their status as a text.', (text) => text] },
    { has: ({ members }) => members.status?.form === 'integer' },
  ),
];

const CODES: readonly ErrorDefect[] = [
  ...ofErrors(
    'ERR-03',
    {
      'not-snake-case': [
        'Codes of errors are of another form.',
        (error) => recoded(error, isJoined(error.errors) ? inPascalCase(textAt(error, 'code') ?? '') : '<none>'),
      ],
    },
    { has: ({ members }) => members.code != null && members.code.form !== null },
  ),
  ...ofErrors(
    'ERR-03',
    {
      'trailing-underscore': [
        'Codes of errors end in an underscore.',
        (error) => recoded(error, `${textAt(error, 'code') ?? ''}_`),
      ],
    },
    { has: isJoined },
  ),
  ...ofMember('ERR-04', 'status', {
    'status-differs': [
      'The status in the body is always 500.',
      (_text, error) => {
        const other = error.status === 500 ? 400 : 500;
        return typeof valueIn(error, 'status') === 'string' ? String(other) : other;
      },
    ],
  }),
  ...ofMember(
    'ERR-05',
    'docUrl',
    {
      'no-code': ['The documentation address does not end in the code.', (address) => address.replace(/\/[^/]*$/, '')],
      'other-code': ['The documentation address names another code.', (url) => url.replace(/[^/]*$/, 'other_code')],
      relative: ['The documentation address is relative.', (_url, error) => `/errors/${textAt(error, 'code')}`],
    },
    { has: ({ members }) => members.docUrl?.form?.includes('{code}') === true },
  ),
  ...ofErrors(
    'ERR-11',
    {
      type: [
        'A listed code comes with another type.',
        (error) => {
          const isKnown = Object.hasOwn(error.errors.codes, textAt(error, 'code') ?? '');
          return isKnown ? telling(error.body, { type: 'not_found_error' }, error.errors) : null;
        },
      ],
    },
    { has: ({ codes }) => Object.values(codes).some(({ type }) => type !== null) },
  ),
];

/** The error where it breaks the contract's schema of errors; null where no place can. */
function brokenBySchema({ body, errors: { schema } }: SeenError): Difference | null {
  const resolve: Resolve = (one) =>
    isObject(one) && typeof one.$ref === 'string' ? valueAt(schema, one.$ref.replace(/^#/, '')) : one;
  const places = placesOf(resolve, schema, body).filter(({ path }) => path.length > 0);
  const [first] = places.flatMap((place) =>
    SCHEMA_DEFECTS.flatMap(({ broken }) => {
      const found = broken(place);
      return found === null ? [] : [{ json: replaced(body, place.path, found.value) }];
    }),
  );
  return first ?? null;
}

const SCHEMA: readonly ErrorDefect[] = [
  ...ofErrors(
    'ERR-14',
    {
      'media-type': [
        'Errors are of another media type than the contract names.',
        () => ({ headers: { 'content-type': 'application/vnd.assay+json' } }),
      ],
    },
    { has: ({ mediaType }) => mediaType !== null },
  ),
  ...ofErrors(
    'ERR-14',
    { schema: ["Errors break the contract's schema in one place.", brokenBySchema] },
    { has: ({ schema }) => schema !== null },
  ),
];

const REQUESTS: readonly ErrorDefect[] = [
  ...ofMember('ERR-06', 'requestId', {
    shared: ['Two requests share one id.', (id, { earlierId }) => earlierId ?? id],
  }),
  ...ofMember(
    'ERR-07',
    'instance',
    {
      template: ['The instance is the path template instead of the path.', (path, { template }) => template ?? path],
      parent: ['The instance is the parent of the path.', (path) => path.replace(/\/[^/]*$/, '')],
    },
    { on: 'items' },
  ),
  ...ofMember('ERR-07', 'instance', {
    constant: ['The instance is always the same.', '/elsewhere'],
  }),
  ...ofMember('ERR-08', 'timestamp', {
    'no-zone': ['Timestamps have no zone.', (time) => time.replace(/(Z|[+-]\d\d:?\d\d)$/, '')],
    'date-only': ['Timestamps have no time.', (time) => time.slice(0, 10)],
    epoch: ['Timestamps count seconds.', (time) => String(Math.floor(Date.parse(time) / 1000))],
    'http-date': ['Timestamps are HTTP dates.', (time) => new Date(time).toUTCString()],
  }),
];

const INPUT: readonly ErrorDefect[] = [
  ...ofErrors(
    'ERR-09',
    {
      'no-errors': ['Validation errors lack the list of fields.', (error) => withList(error, undefined)],
      'empty-errors': ['The list of fields is empty.', (error) => withList(error, [])],
    },
    { has: (errors) => listOf(errors) !== null, on: 'input' },
  ),
  ...ofMember(
    'ERR-09',
    'param',
    { 'no-param': ['Validation errors lack param.', undefined] },
    { ...always('param'), on: 'input' },
  ),
  ...ofMember(
    'ERR-09',
    'fieldCode',
    { 'no-item-code': ['Listed fields have no code.', undefined] },
    { ...always('fieldCode'), on: 'input' },
  ),
  ...ofMember(
    'ERR-09',
    'fieldCode',
    { 'item-code-case': ['Codes of listed fields are in camelCase.', 'invalidType'] },
    { has: ({ members }) => members.fieldCode?.form === 'snake_case', on: 'input' },
  ),
  ...ofMember(
    'ERR-10',
    'param',
    {
      'other-param': ['param names a field that is not among the failing ones.', 'assay_other'],
      'nested-param': [
        'param is the whole path of the field.',
        (_param, error) => (textAt(error, 'field') ?? '').replace(/^[^.]*$/, (field) => `body.${field}`),
      ],
    },
    { ...always('param'), on: 'input' },
  ),
];

const TRACE =
  'ValidationError: rejected\n    at validate (/srv/app/src/validation/body.ts:41:13)\n    at handle (/srv/app/src/server.ts:120:9)';

/** The error that says this to people. */
export function saying({ body, errors }: SeenError, text: string): Difference {
  return telling(body, errors.members.message === undefined ? { title: text } : { message: text }, errors);
}

const LEAKS = ofErrors(
  'ERR-12',
  {
    'stack-trace': ['Errors carry a stack trace.', (error) => saying(error, TRACE)],
    'source-path': [
      'Errors are told with the path of a source file.',
      (error) => saying(error, 'Unexpected token in /srv/app/src/http/parse-body.ts:17'),
    ],
    'token-in-message': [
      'Errors repeat the token.',
      (error) => ({ ...saying(error, `The token ${error.authorization} is not valid.`), echoesToken: true }),
    ],
  },
  { has: ({ members }) => members.title !== undefined || members.message !== undefined },
);

export const ERROR_DEFECTS: readonly ErrorDefect[] = [
  ...PRESENCE,
  ...CODES,
  ...SCHEMA,
  ...REQUESTS,
  ...INPUT,
  ...LEAKS,
];
