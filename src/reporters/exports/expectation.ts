// Makes demands on an answer that hold once a finding is gone, where one answer can tell: its status, a header, or
// values of its body. They are made of the finding's code, its place and the recorded answer, and break on that answer:
// a test of them cannot pass while the defect shows.

import type { Scalar } from '../../contract/judgement.ts';
import type { Finding, OperationRow, ReportedExchange } from '../../contract/report.ts';
import { parsedJson } from '../../exchange/decoded.ts';
import { essence } from '../../exchange/media-type.ts';
import { isObject, tokensOf } from '../../openapi/json.ts';

export interface Expectation {
  /** The lowest and the highest status of each range that is as it should be. */
  readonly statuses: readonly (readonly [lowest: number, highest: number])[];
  /** Statuses among them that tell nothing of the defect, or are it. */
  readonly but: readonly number[];
  readonly header: HeaderDemand | null;
  readonly body: BodyDemand | null;
}

export interface HeaderDemand {
  /** In lower case. */
  readonly name: string;
  /** One of these media types, whose parameters do not count; null: it is there. */
  readonly types: readonly string[] | null;
}

/** At least one value stands at the place, and all that do are as they must be. */
export interface BodyDemand {
  /** Members on the way to the place; `*`: each item of a list, each value of a map. Empty: the body, which must be JSON. */
  readonly at: readonly string[];
  readonly must: Must;
}

/** `status`: it is the status of the answer. */
export type Must =
  | { readonly be: 'present' }
  | { readonly be: 'status' }
  | { readonly be: 'type'; readonly types: readonly string[] }
  | { readonly be: 'value'; readonly values: readonly Scalar[] };

type Response = NonNullable<ReportedExchange['response']>;

interface Context {
  readonly finding: Finding;
  readonly exchange: ReportedExchange;
  /** Statuses that the description declares for the operation; empty where that is not known. */
  readonly declared: readonly string[];
  /** Values that follow in the code after the kind. */
  readonly values: string;
}

type Rule = (context: Context) => Partial<Expectation> | null;

const BELOW_500 = [100, 499] as const;
const answered: Rule = () => ({ statuses: [BELOW_500] });
/** Answer to a second create: the object was there already, and the server looked no further. */
const CONFLICT = 409;
const refused: Rule = () => ({ statuses: [[400, 499]], but: [CONFLICT] });
const unauthorized: Rule = () => ({ statuses: [[401, 401] as const, [403, 403] as const], but: [] });
const present: Rule = (context) => inBody(context, { be: 'present' });

/** Rules by kind of breach; one answer alone does not tell of a kind that is not named here. */
const RULES: Readonly<Record<string, Rule>> = {
  'req-09.unanswered': answered,
  'req-09.dropped': answered,
  'req-09.answered-5xx': answered,
  'req-03.accepted': refused,
  'req-04.accepted': refused,
  'req-05.accepted': refused,
  'req-06.accepted': refused,
  'req-08.accepted': refused,
  'auth-01.accepted': unauthorized,
  'auth-02.accepted': unauthorized,
  'auth-03.accepted': unauthorized,
  'sch-01.not-json': (context) => inBody(context, { be: 'present' }, ''),
  'sch-01.breaks': ofSchema,
  'sch-02.absent': contentType,
  'sch-02.undeclared': contentType,
  'sch-04.absent': (context) => ({ ...sameStatus(context), header: { name: context.values, types: null } }),
  'sch-05.undeclared': (context) => declaredOr(context, [400, 499]),
  'sch-08.undeclared': (context) => declaredOr(context, BELOW_500),
  'err-01.no-body': errorObject,
  'err-01.not-json': errorObject,
  'err-01.not-object': errorObject,
  'err-01.no-error': errorObject,
  'err-01.error-not-object': errorObject,
  'err-02.absent': present,
  'err-04.differs': (context) => inBody(context, { be: 'status' }),
  'err-09.absent': present,
};

/** A sound request that fails is a kind for each status: "sch-06.answered-500". */
const FAILED = /^sch-06\.answered-\d+$/;
/** Where the same request is answered in turns, one answer says nothing. */
const IN_TURNS = 'now-and-then';

/** Demands on the answer to the exchange's request; null where that alone does not tell whether the finding is gone. */
export function expectationOf(
  finding: Finding,
  exchange: ReportedExchange,
  row: OperationRow | undefined,
): Expectation | null {
  const [clause = '', kind = '', ...values] = (finding.code ?? '').split('.');
  const name = `${clause}.${kind}`;
  const rule = FAILED.test(name) && !values.includes(IN_TURNS) ? answered : RULES[name];
  const declared = Object.keys(row?.declared?.statuses ?? {});
  const made = rule?.({ finding, exchange, declared, values: values.join('.') }) ?? null;
  if (made === null) return null;
  const expectation = { statuses: [], header: null, body: null, ...made, but: butOf(made, exchange) };
  return isMet(expectation, exchange) ? null : expectation;
}

/** Too many requests, and a token that is not taken, end a request before it comes to the defect. */
function butOf({ statuses = [], but = [] }: Partial<Expectation>, { credential, response }: ReportedExchange) {
  const isKeyed = credential.startsWith('key ');
  const early = [...(isKeyed ? [401] : []), 429].filter((status) => status !== response?.status);
  const all = [...new Set([...early, ...but])].filter((status) => within(statuses, status));
  return all.toSorted((left, right) => left - right);
}

function within(statuses: Expectation['statuses'], status: number): boolean {
  return statuses.some(([lowest, highest]) => lowest <= status && status <= highest);
}

/** A body is judged by what is declared for its status: another one would be judged otherwise. */
function sameStatus({ exchange: { response } }: Context): Pick<Expectation, 'statuses'> {
  const status = response?.status ?? 0;
  return { statuses: [[status, status]] };
}

function declaredOr({ declared, exchange }: Context, other: readonly [number, number]): Partial<Expectation> | null {
  const ranges = declared.map((name) => rangeOf(name));
  const known = ranges.filter((range) => range !== null);
  if (known.length === 0 || known.length < ranges.length) return null;
  return { statuses: [...known, other], but: [exchange.response?.status ?? 0] };
}

/** "404" and "4XX" as ranges; null for what names no status. */
function rangeOf(name: string): readonly [number, number] | null {
  if (/^[1-9]\d\d$/.test(name)) return [Number(name), Number(name)];
  return /^[1-9]XX$/i.test(name) ? [100 * Number(name[0]), 100 * Number(name[0]) + 99] : null;
}

function contentType(context: Context): Partial<Expectation> | null {
  const types = textsOf(context.finding.wanted).map(essence);
  if (types.length === 0) return null;
  return { ...sameStatus(context), header: { name: 'content-type', types } };
}

function errorObject(context: Context): Partial<Expectation> {
  return { ...sameStatus(context), body: { at: ['error'], must: { be: 'type', types: ['object'] } } };
}

function ofSchema(context: Context): Partial<Expectation> | null {
  const { wanted = [] } = context.finding;
  switch (context.values.split('.')[0]) {
    case 'required':
      return inBody(context, { be: 'present' });
    case 'type': {
      const types = textsOf(wanted).filter((type) => type in TYPES);
      return types.length > 0 && types.length === wanted.length ? inBody(context, { be: 'type', types }) : null;
    }
    case 'enum':
    case 'const':
      return wanted.length === 0 ? null : inBody(context, { be: 'value', values: wanted });
    default:
      return null;
  }
}

function textsOf(wanted: Finding['wanted'] = []): readonly string[] {
  return wanted.filter((value) => typeof value === 'string');
}

/** The answer's body is judged as a whole: of one that was cut nothing can be told. */
function inBody(context: Context, must: Must, pointer = context.finding.pointer): Partial<Expectation> | null {
  const body = context.exchange.response?.body;
  if (body === undefined || pointer === null || CUT.test(body)) return null;
  return { ...sameStatus(context), body: { at: placeIn(parsedJson(body), pointer, context.values), must } };
}

const CUT = /\n\[cut: \d+ of \d+ characters\]$/;

/** Any item of a list, and any key of a map, may show the defect. The code ends in the place in the schema, which tells maps. */
function placeIn(body: unknown, pointer: string, values: string): readonly string[] {
  const inSchema = values.split('/').toReversed();
  const tokens = tokensOf(pointer);
  let value = body;
  return tokens.map((token, index) => {
    const isAny = Array.isArray(value) || inSchema[tokens.length - 1 - index] === '*';
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[token] : undefined;
    return isAny ? '*' : token;
  });
}

// Tells whether an answer is as it must be: the same rules as in the tests that are written.

/** Tells whether the exchange's answer is as it must be. */
export function isMet({ statuses, but, header, body }: Expectation, { response }: ReportedExchange): boolean {
  if (response === null) return false;
  if (!within(statuses, response.status) || but.includes(response.status)) return false;
  return (header === null || isHeaderMet(header, response)) && (body === null || isBodyMet(body, response));
}

function isHeaderMet({ name, types }: HeaderDemand, { headers }: Response): boolean {
  const value = headers.find(([one]) => one.toLowerCase() === name)?.[1];
  if (value === undefined) return false;
  return types === null || types.some((type) => matches(type, essence(value)));
}

/** "application/*" stands for all of its kind. */
function matches(type: string, given: string): boolean {
  return type.endsWith('/*') ? type === '*/*' || given.startsWith(type.slice(0, -1)) : given === type;
}

function isBodyMet({ at, must }: BodyDemand, { body, status }: Response): boolean {
  const json = parsedJson(body);
  if (json === undefined) return false;
  const found = valuesAt([json], at);
  return found.length > 0 && found.every((value) => isAsMust(value, must, status));
}

function isAsMust(value: unknown, must: Must, status: number): boolean {
  switch (must.be) {
    case 'present':
      return value !== undefined;
    case 'status':
      return value === status;
    case 'type':
      return must.types.some((type) => TYPES[type]?.(value) === true);
    case 'value':
      return must.values.some((one) => one === value);
  }
}

/** Values at the place below these; undefined for a member that what should hold it lacks. */
function valuesAt(values: readonly unknown[], at: readonly string[]): readonly unknown[] {
  const [token, ...rest] = at;
  if (token === undefined) return values;
  const below = values.flatMap((value) => {
    if (typeof value !== 'object' || value === null) return [];
    return token === '*' ? Object.values(value) : [(value as Record<string, unknown>)[token]];
  });
  return valuesAt(below, rest);
}

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  array: Array.isArray,
  boolean: (value) => typeof value === 'boolean',
  integer: Number.isInteger,
  null: (value) => value === null,
  number: (value) => typeof value === 'number',
  object: (value) => isObject(value),
  string: (value) => typeof value === 'string',
};
