// Any report that keeps its schema: drawn from the schema itself, so that what it allows is what is tried – empty lists and texts,
// members that are absent, numbers at their bounds. What JSON Schema cannot say is put right afterwards.
import fc, { type Arbitrary } from 'fast-check';
import { CLAUSES } from '../../../src/contract/clauses.ts';
import schema from '../../../src/contract/report.schema.json' with { type: 'json' };
import { REASON_CODES, type Report } from '../../../src/contract/report.ts';
import { HOSTILE } from './sample-report.ts';

type Schema = Readonly<Record<string, unknown>>;
type Members = Readonly<Record<string, Schema>>;
type Row = Readonly<Record<string, unknown>>;

const TEXTS = fc.constantFrom('', 'a', ' ', 'é 日本', 'two\nlines', '| `a` *b* _c_ <d>', '\u0000\u001b[1m', HOSTILE);
const FULL_TEXTS = TEXTS.filter((text) => text !== '');
const MOST_ITEMS = 2;

/** Texts that a pattern or a format allows. */
const SHAPED: Readonly<Record<string, readonly string[]>> = {
  '^https?://': ['https://ci.example/job/7', 'http://"><script>'],
  'date-time': ['2026-01-31T12:00:00Z', '0000-01-01T00:00:00.000Z', '2037-12-31T23:59:59Z'],
  date: ['2026-01-31'],
  '^(/|$)': ['', '/', '/error/status', '/a~1b/0/'],
  '^\\S+$': ['a', 'err04-1'],
  '^[0-9]+(:[0-9]+)*$': ['0', '1:2'],
  '^-?[0-9]+$': ['0', '-3', '40'],
  '^([1-9][0-9]{2}|failed)$': ['200', '999', 'failed'],
  '^[0-9a-f]{32}$': ['0af7651916cd43dd8448eb211c80319c'],
  '^[0-9a-f]{64}$': ['0af7651916cd43dd8448eb211c80319c'.repeat(2)],
  '^[A-Z]+ \\S': ['GET /', 'POST /api/v1/stores', `GET /${HOSTILE}`],
  '^https?://.*\\{traceId\\}': ['https://traces.example/{traceId}'],
};
/** Definitions that are drawn as a whole. */
const DEFINED: Readonly<Record<string, () => Arbitrary<unknown>>> = {
  clauseId: () => fc.constantFrom(...CLAUSES.map(({ id }) => id)),
  code: () => fc.constantFrom('err-04.differs', 'sch-01.breaks./a b', 'req-01.x.(empty)'),
  clauseRow: () => fc.constantFrom(...CLAUSES).chain((clause) => rowOf(clause)),
  operationClause: () => outcome(['pass', 'fail', 'not-tested', 'observed']),
  operationRow: () => drawn(definition('operationRow')).map(reached),
  serviceRow: () => drawn(definition('serviceRow')).map(testable),
  finding: () => drawn(definition('finding')).map(placed),
  loadCapacity: () => drawn(definition('loadCapacity')).map(settledOrNot),
  observation: () => drawn(definition('observation')).map(placed),
  exchange: () => drawn(definition('exchange')).map(answered),
};

/** Any report: every clause has its row, and counts and verdict agree. */
export function anyReport(): Arbitrary<Report> {
  const rows = fc.tuple(...CLAUSES.map((clause) => rowOf(clause)));
  return fc.tuple(drawn(schema as Schema), rows).map(([report, clauses]) => agreed({ ...report, clauses }));
}

/** A capacity has a knee where it is settled, and elsewhere what is known of it and why it is not. */
function settledOrNot(capacity: Row): Row {
  const { kneeRps: _knee, ...open } = capacity;
  return capacity.settled === false
    ? { ...open, atLeastRps: null, belowRps: 250, reason: 'the time limit was reached' }
    : { ...capacity, kneeRps: 206 };
}

function definition(name: string): Schema {
  return (schema.$defs as unknown as Members)[name] as Schema;
}

function drawn(of: Schema): Arbitrary<Row> {
  return objectOf(of) as Arbitrary<Row>;
}

function anyOfSchema(of: Schema | boolean): Arbitrary<unknown> {
  if (typeof of === 'boolean') return fc.constant(null);
  const { $ref, anyOf, allOf, enum: values, type } = of as Record<string, never>;
  if (typeof $ref === 'string') {
    const name = ($ref as string).replace('#/$defs/', '');
    return DEFINED[name]?.() ?? anyOfSchema(definition(name));
  }
  if ('const' in of) return fc.constant(of.const);
  if (values !== undefined) return fc.constantFrom(...(values as unknown[]));
  if (anyOf !== undefined && type === undefined) return fc.oneof(...(anyOf as Schema[]).map(anyOfSchema));
  if (allOf !== undefined && type === undefined) return objectOf(merged([of, ...(allOf as Schema[]).map(resolved)]));
  const types: readonly string[] = Array.isArray(type)
    ? type
    : [type ?? (of.pattern === undefined ? 'object' : 'string')];
  return fc.oneof(...types.map((one) => ofType(one, of)));
}

function ofType(type: string, of: Schema): Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'string':
      return textOf(of);
    case 'array':
      return listOf(of);
    case 'integer':
    case 'number':
      return numberOf(type, of);
    default:
      return objectOf(of);
  }
}

function textOf({ pattern, format, minLength }: Schema): Arbitrary<string> {
  const shaped = SHAPED[String(pattern ?? format)];
  if (shaped !== undefined) return fc.constantFrom(...shaped);
  if (pattern !== undefined || format !== undefined) throw new Error(`no text is known for ${pattern ?? format}`);
  return minLength === undefined ? TEXTS : FULL_TEXTS;
}

function numberOf(type: 'integer' | 'number', { minimum, maximum }: Schema): Arbitrary<number> {
  const least = Number(minimum ?? -5);
  const most = Number(maximum ?? 1e12);
  const all = [least, Math.min(least + 1, most), 7, 250, most, ...(type === 'number' ? [0.5, 12.345] : [])];
  return fc.constantFrom(...all.filter((one) => one >= least && one <= most));
}

function listOf({ items, prefixItems, minItems }: Schema): Arbitrary<unknown> {
  if (prefixItems !== undefined) return fc.tuple(...(prefixItems as Schema[]).map(anyOfSchema));
  return fc.array(anyOfSchema((items ?? {}) as Schema), { minLength: Number(minItems ?? 0), maxLength: MOST_ITEMS });
}

function objectOf(of: Schema): Arbitrary<unknown> {
  const {
    properties = {},
    required = [],
    additionalProperties,
    propertyNames,
  } = of as {
    readonly properties?: Members;
    readonly required?: readonly string[];
    readonly additionalProperties?: Schema | boolean;
    readonly propertyNames?: Schema;
  };
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, one]) => [name, anyOfSchema(one)] as const),
  );
  const named = [...required].filter((name) => !Object.hasOwn(members, name));
  const additional = typeof additionalProperties === 'object' ? additionalProperties : null;
  for (const name of named) members[name] = anyOfSchema(additional ?? {});
  const own = fc.record(members, { requiredKeys: [...required] });
  if (additional === null || Object.keys(members).length > 0) return own;
  const names = propertyNames === undefined ? FULL_TEXTS : (anyOfSchema(propertyNames) as Arbitrary<string>);
  return fc.dictionary(names, anyOfSchema(additional), { maxKeys: MOST_ITEMS });
}

function resolved(of: Schema): Schema {
  return typeof of.$ref === 'string' ? definition(of.$ref.replace('#/$defs/', '')) : of;
}

/** The members of all of them; conditions are put right afterwards. */
function merged(all: readonly Schema[]): Schema {
  const parts = all.filter((one) => one.if === undefined);
  return {
    properties: Object.assign({}, ...parts.map((one) => one.properties ?? {})),
    required: [...new Set(parts.flatMap((one) => (one.required ?? []) as string[]))],
  };
}

// What a schema says by conditions.

function outcome(statuses: readonly string[]): Arbitrary<Row> {
  return fc
    .tuple(fc.constantFrom(...statuses), fc.constantFrom(...REASON_CODES), fc.constantFrom(1, 7, 4000))
    .map(([status, reasonCode, count]) => {
      const counts = { checks: count, violations: 0, advisories: count % 2 };
      if (status === 'fail') return { status, ...counts, violations: 1 };
      if (status === 'pass' || status === 'observed') return { status, ...counts };
      const reason = status === 'not-applicable' || reasonCode === 'not-declared' ? 'not-declared' : reasonCode;
      const code = status === 'not-tested' && reason === 'not-declared' ? 'budget' : reason;
      return { status, reasonCode: code, ...counts, checks: 0, advisories: 0 };
    });
}

function rowOf({ id, level }: (typeof CLAUSES)[number]): Arbitrary<Row> {
  const beside = drawn({
    properties: Object.fromEntries(
      Object.entries(definition('clauseRow').properties as Members).filter(([name]) =>
        ['reason', 'accepted', 'basis', 'grounds', 'operationsInScope', 'operationsTested'].includes(name),
      ),
    ),
    required: ['operationsInScope', 'operationsTested'],
  });
  const statuses = ['pass', 'fail', 'not-applicable', 'not-tested', 'observed'];
  return fc.tuple(outcome(statuses), beside).map(([told, more]) => ({ id, level, ...more, ...told }));
}

function reached({ reasonCode, ...row }: Row): Row {
  return row.tested === true ? row : { ...row, reasonCode: reasonCode ?? 'budget' };
}

function testable(row: Row): Row {
  return row.testable === true ? row : { ...row, reason: row.reason ?? '', operationsTested: 0 };
}

function placed(row: Row): Row {
  return row.operation === null ? row : { ...row, service: row.service ?? 'store' };
}

function answered(row: Row): Row {
  return { ...row, failure: row.response === null ? (row.failure ?? '') : null };
}

/** Counts that the verdict allows, and no replay, which tells of one finding alone. */
function agreed(report: Row): Report {
  const { verdict, counts } = report as { readonly verdict: string; readonly counts: Record<string, number> };
  const { accepted: _accepted, ...rest } = counts;
  const violations = verdict === 'fail' ? Math.max(1, rest.violations ?? 0) : 0;
  return { ...report, counts: { ...rest, violations, checks: Math.max(1, rest.checks ?? 0) } } as unknown as Report;
}
