// REQ-09 on one operation: hostile members, bodies, query values and path segments. Whatever is answered below 500 is fine.

import { type HostileKind, judgeAnswered } from '../../checks/req/req-09-unanswered.ts';
import type { ContractName } from '../../contract/contract.ts';
import { jsonText } from '../../exchange/body.ts';
import { parsedJson, uriEncoded } from '../../exchange/decoded.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import { isKeyHeader } from '../../exchange/idempotency-key.ts';
import { isSafe } from '../../exchange/methods.ts';
import { isOpenStream } from '../../facts/answered.ts';
import { parameterNames } from '../../facts/paths.ts';
import { isValid, jsonBodyType } from '../../generate/bodies.ts';
import {
  BEYOND_RANGE,
  DATES_AT_THEIR_ENDS,
  HOSTILE_BODIES,
  HOSTILE_HEADERS,
  HOSTILE_MEMBERS,
  HOSTILE_SEGMENTS,
  HOSTILE_TEXTS,
  type HostileBody,
  type HostileText,
  HUGE_STRING,
  NUMBERS_BEYOND_JSON,
  ORDINARY_NUMBERS,
  UNKNOWN_MEMBERS,
  UNREADABLE_BODIES,
  withBytes,
} from '../../generate/hostile.ts';
import { isVariable } from '../../generate/targets/operation-inputs.ts';
import { asObject, isObject } from '../../openapi/json.ts';
import { spotOf } from '../../openapi/model/operation.ts';
import { outcome } from '../experiment.ts';
import type { Course, Experiment } from '../probe.ts';
import { inOtherLanguage, pathOf, planOf, queryText, type Recipe, recipeBody } from '../reach/recipe.ts';
import { drawFor, type Reached, type World } from '../world.ts';
import { type Blame, bundlesOf, hasFailed, isHarmful, repeated, togetherCourse } from './hostile-together.ts';

interface HostileCase {
  readonly place: 'body' | 'query' | 'path' | 'header';
  readonly kind: HostileKind;
  readonly probe: string;
  readonly plan: () => RequestPlan;
  /** Set: the body is another than an object with one member changed. */
  readonly isWhole?: true;
  /** Tells whether the description admits it: then it comes further than to where input is refused. Absent: it is not asked. */
  readonly isAdmitted?: () => boolean;
}

const MEMBER_LIMIT = 12;
/** Members of objects inside the body that are tried, too: the first with every kind, the others with those of their type. */
const INNER_LIMIT = 12;

/**
 * Every hostile case of the operation, after requests that hold many cases; `turn` rotates the kinds that those of the lean pass take, so that
 * each kind is sent to one of the operations that have it. None for a stream without an end: each would take a second, and tell no more
 * than that the stream begins.
 */
export function hostileExperiments(world: World, reached: Reached, turn: number): readonly Experiment[] {
  if (reached.proof !== null && isOpenStream(reached.proof)) return [];
  return [...togetherExperiments(world, reached, turn), ...eachExperiments(world, reached, turn)];
}

function togetherExperiments(world: World, reached: Reached, turn: number): readonly Experiment[] {
  const { operation } = reached;
  const blame = blameOf(reached, world.contract);
  const described = operation.parameters.find(({ in: place, name }) => place === 'header' && !isOurs(name));
  return bundlesOf(world, reached, described?.name ?? READ_BY_ALL, turn).map((bundle) => ({
    probe: bundle.probe,
    stage: bundle.round === 0 ? 'lean' : 'depth',
    rank: bundle.round === 0 ? 80 : 58,
    clauses: ['REQ-09'],
    ...spotOf(operation),
    cost: 1,
    run: () => togetherCourse(world, reached, bundle, blame),
  }));
}

/** Where no ordinary request was ever served, that one goes unanswered is not this input's doing. */
function blameOf({ proof }: Reached, contract: ContractName): Blame {
  const control = proof !== null;
  const commerce = contract === 'commerce';
  return { kindOf: (kind) => (commerce || control ? kind : null), control: control && commerce };
}

function eachExperiments(world: World, reached: Reached, turn: number): readonly Experiment[] {
  const cases = [
    ...bodyCases(world, reached),
    ...queryCases(world, reached),
    ...pathCases(world, reached),
    ...headerCases(world, reached),
  ];
  const kinds = onceEach(cases, !world.lasts(reached.operation));
  // Each operation begins with another kind: a run that ends early has sent all of them somewhere.
  const first = turn % Math.max(1, kinds.length);
  const once = new Set([...kinds.slice(first), ...kinds.slice(0, first)]);
  const experimentOn = (entry: HostileCase): Experiment => ({
    probe: entry.probe,
    stage: 'depth',
    rank: once.has(entry) ? 60 : 61,
    clauses: ['REQ-09'],
    ...spotOf(reached.operation),
    cost: 1,
    run: () => hostileCourse(entry, reached, world),
  });
  const others = [...cases, ...typedQueryCases(world, reached), ...furtherCases(world, reached)];
  return [...new Set([...once, ...others])].map(experimentOn);
}

/**
 * One case of each kind in each location, on another member or parameter for each kind: these come first. `deep`: where the description
 * admits it, if it does anywhere.
 */
function onceEach(cases: readonly HostileCase[], deep: boolean): readonly HostileCase[] {
  const kinds = [...Map.groupBy(cases, ({ kind, place }) => `${place} ${kind.name}`).values()];
  return kinds.flatMap((alike, index) => {
    const turned = [...alike.slice(index % alike.length), ...alike.slice(0, index % alike.length)];
    return (deep ? turned.find(({ isAdmitted }) => isAdmitted?.()) : undefined) ?? turned[0] ?? [];
  });
}

/**
 * Sends and judges one hostile input. By a description alone SCH-06 has every 5xx, whatever was sent: it is not
 * reported for each input again. One send; two more, on fresh connections, where it failed, since only what shows again
 * is the input's doing. `control`: ordinary input succeeds.
 */
function* hostileCourse(entry: HostileCase, reached: Reached, { contract, terms }: World): Course {
  const blame = blameOf(reached, contract);
  const plan = entry.plan();
  const { last } = yield plan;
  const sends = hasFailed(last) ? yield* repeated(plan, [last]) : [last];
  return [
    outcome(
      'REQ-09',
      plan,
      judgeAnswered(sends, reached.operation, blame.kindOf(entry.kind), terms, blame.control),
      sends,
    ),
  ];
}

function bodyCases(world: World, reached: Reached): readonly HostileCase[] {
  if (jsonBodyType(reached.operation) === null) return [];
  const { description, operation } = reached;
  const schema = jsonBodyType(operation)?.schema ?? null;
  const base = recipeBody(reached.recipe, drawFor(world, 'hostile'));
  const fields = isObject(base) ? Object.keys(base).slice(0, MEMBER_LIMIT) : [];
  const named = fields.length > 0 ? fields : ['assay'];
  const members = named.flatMap((field, at) =>
    [...HOSTILE_MEMBERS, ...(at === 0 ? [HUGE_STRING] : [])].map((hostile, index) => ({
      place: 'body' as const,
      kind: { name: hostile.code, inWords: hostile.name },
      probe: `hostile/member/${field}/${index}`,
      isAdmitted: () => isObject(base) && isValid(description, schema, { ...base, [field]: hostile.value }),
      plan: (): RequestPlan => {
        const fresh = recipeBody(reached.recipe, drawFor(world, `h${index}${field}`));
        const value = { ...(isObject(fresh) ? fresh : {}), [field]: hostile.value };
        return planOf(reached.recipe, `hostile/member/${field}/${index}`, drawFor(world, 'hostile'), {
          body: { kind: 'json', value },
          intent: 'hostile',
          ...refusable(reached, value),
        });
      },
    })),
  );
  const whole = [...HOSTILE_BODIES, ...UNREADABLE_BODIES].map((hostile, index) => ({
    place: 'body' as const,
    kind: { name: hostile.code, inWords: hostile.name },
    probe: `hostile/body/${index}`,
    isWhole: true as const,
    plan: (): RequestPlan => wholePlan(world, reached, hostile, index),
  }));
  return [...members, ...whole];
}

/** A whole body. Where nothing was ever served every second one is for what is not there: what is there may be of a kind that refuses it unread. */
function wholePlan(world: World, reached: Reached, hostile: HostileBody, index: number): RequestPlan {
  const { recipe, operation, proof } = reached;
  const { text, headers = [], contentType = 'application/json', isLatin1 } = hostile;
  const [last] = parameterNames(operation.path).toReversed();
  const isElsewhere = proof === null && last !== undefined && index % 2 === 1;
  const plan = planOf(recipe, `hostile/body/${index}`, drawFor(world, 'hostile'), {
    ...(isElsewhere ? { path: pathOf(recipe, { ...recipe.pathValues, [last]: 'assay' }) } : {}),
    body: { kind: 'raw', text, contentType, ...(isLatin1 === true ? { isLatin1 } : {}) },
    intent: 'hostile',
    ...refusable(reached, parsedJson(text) ?? {}),
  });
  return { ...plan, headers: [...plan.headers, ...headers] };
}

/**
 * Bodies on which servers stumble where the usual ones pass: members of inner objects, texts of blanks or several lines, zero and less, equal
 * items of a list, and an object without members. Where a budget bounds the run they come last.
 */
function furtherCases(world: World, reached: Reached): readonly HostileCase[] {
  const { recipe } = reached;
  const base = jsonBodyType(reached.operation) === null ? null : recipeBody(recipe, drawFor(world, 'hostile'));
  if (!isObject(base)) return [];
  const caseOf = (name: string, inWords: string, at: string, value: unknown, text?: string): HostileCase => ({
    place: 'body',
    kind: { name, inWords },
    probe: `hostile/${at}`,
    plan: () =>
      planOf(recipe, `hostile/${at}`, drawFor(world, `hostile ${at}`), {
        body: text === undefined ? { kind: 'json', value } : { kind: 'raw', text, contentType: 'application/json' },
        intent: 'hostile',
        ...refusable(reached, value),
      }),
  });
  const members = Object.entries(base);
  const numbers = members.filter(([, value]) => typeof value === 'number').map(([name]) => [name, BEYOND_RANGE]);
  const infinite = { ...base, ...Object.fromEntries(numbers) };
  const infiniteText = jsonText(infinite).replaceAll(`"${BEYOND_RANGE}"`, BEYOND_RANGE);
  const inner = members.flatMap(([outer, value]) =>
    isObject(value) ? Object.keys(value).map((field) => [outer, value, field] as const) : [],
  );
  return [
    ...inner.slice(0, INNER_LIMIT).flatMap(([outer, value, field], at) =>
      HOSTILE_MEMBERS.flatMap(({ code, name, value: hostile }, index) => {
        if (at > 0 && typeof hostile !== typeof value[field]) return [];
        const body = { ...base, [outer]: { ...value, [field]: hostile } };
        return caseOf(code, name, `member/${outer}/${field}/${index}`, body);
      }),
    ),
    ...members.slice(0, MEMBER_LIMIT).flatMap(([field, value]) => {
      const body = (other: unknown) => ({ ...base, [field]: other });
      if (typeof value === 'number')
        return ORDINARY_NUMBERS.map((one) =>
          caseOf(one.code, one.name, `member/${field}/${one.code}`, body(one.value)),
        );
      if (typeof value === 'string')
        return [
          caseOf('blanks', 'blanks alone', `member/${field}/blanks`, body('   ')),
          caseOf('line-breaks', 'line breaks and backslashes', `member/${field}/lines`, body('assay\\\r\n\tassay\\')),
          ...datesIn(value).map((date, at) => caseOf(...DATE_AT_ITS_END, `member/${field}/date-${at}`, body(date))),
        ];
      return Array.isArray(value)
        ? [
            ...value
              .slice(0, 1)
              .map((item) => caseOf('equal-items', 'equal items', `member/${field}/equal`, body([item, item]))),
            caseOf('null-items', 'nulls in a list', `member/${field}/nulls`, body([null, null])),
          ]
        : [];
    }),
    ...(numbers.length === 0
      ? []
      : [caseOf('number-beyond-range', 'number beyond every range', 'body/infinite', infinite, infiniteText)]),
    caseOf('empty-object', 'an object without members', 'body/empty', {}),
    caseOf('unknown-members', 'members that no description names', 'body/unknown', { ...base, ...UNKNOWN_MEMBERS }),
  ];
}

const DATE_AT_ITS_END = ['date-at-its-end', 'date at the end of its range'] as const;

/** The first and the last day that dates know, in the form of this one; none for what is no date. */
function datesIn(value: string): readonly string[] {
  return /^\d{4}-\d\d-\d\d/.test(value) ? DATES_AT_THEIR_ENDS.map((date) => date + value.slice(date.length)) : [];
}

const ZERO: HostileText = { code: 'zero', name: 'zero', text: '0' };
const EMPTY: HostileText = { code: 'empty-number', name: 'nothing in place of a number', text: '' };
/** Under a name that nothing describes, for who decodes a query decodes all of it. */
const MALFORMED_PERCENT = { code: 'malformed-percent', name: 'malformed percent-encoding', query: 'assay=%ZZ' };

/** Numbers and days of which only parameters of that type make something. They come last, as all that few servers stumble over. */
function typedQueryCases(world: World, { operation, description, recipe }: Reached): readonly HostileCase[] {
  if (operation.method !== 'GET') return [];
  const described = operation.parameters.filter(({ in: place }) => place === 'query');
  const { code, name: inWords, query: malformed } = MALFORMED_PERCENT;
  const probe = `hostile/query/${code}`;
  const query = [queryText(recipe.query), malformed].filter((part) => part !== '').join('&');
  const percent: HostileCase = {
    ...{ place: 'query', kind: { name: code, inWords }, probe },
    plan: () => planOf(recipe, probe, drawFor(world, 'hostile'), { query, intent: 'hostile' }),
  };
  const typed = described.flatMap(({ name, schema }) => {
    const { type, format } = asObject(description.deref(schema?.value));
    const dates = DATES_AT_THEIR_ENDS.map((date) => (format === 'date' ? date : `${date}T00:00:00Z`));
    const texts = [
      ...(type === 'number' || type === 'integer' ? [...NUMBERS_BEYOND_JSON, ZERO, EMPTY] : []),
      ...(format === 'date' || format === 'date-time'
        ? dates.map((text) => ({ code: DATE_AT_ITS_END[0], name: DATE_AT_ITS_END[1], text }))
        : []),
    ];
    const others = recipe.query.filter(([given]) => given !== name);
    return texts.map(({ code, name: inWords, text }, at): HostileCase => {
      const probe = `hostile/query/${name}/typed-${at}`;
      const query = queryText([...others, [name, text]]);
      const plan = () => planOf(recipe, probe, drawFor(world, 'hostile'), { query, intent: 'hostile' });
      return { place: 'query', kind: { name: code, inWords }, probe, plan };
    });
  });
  return [...typed, percent];
}

/** Tells by `makes` whether the description refuses the body: one that it admits may make something. */
function refusable({ description, operation }: Reached, value: unknown): Pick<RequestPlan, 'makes'> {
  const schema = jsonBodyType(operation)?.schema ?? null;
  return isValid(description, schema, value) ? {} : { makes: 'nothing' };
}

function queryCases(world: World, reached: Reached): readonly HostileCase[] {
  const { operation, recipe } = reached;
  const names = operation.parameters.filter((parameter) => parameter.in === 'query').map((parameter) => parameter.name);
  if (operation.method !== 'GET' && (names.length === 0 || isHarmful(world, operation))) return [];
  const admits = (name: string, text: string): boolean => {
    const schema = operation.parameters.find((one) => one.in === 'query' && one.name === name)?.schema ?? null;
    return isValid(reached.description, schema, text);
  };
  const make = (kind: HostileKind, probe: string, pairs: Recipe['query'], isAdmitted?: () => boolean): HostileCase => ({
    place: 'query',
    kind,
    probe,
    ...(isAdmitted === undefined ? {} : { isAdmitted }),
    plan: () =>
      planOf(recipe, probe, drawFor(world, 'hostile'), { query: withBytes(queryText(pairs)), intent: 'hostile' }),
  });
  return (names.length > 0 ? names : ['assay']).flatMap((name) => {
    const others = recipe.query.filter(([given]) => given !== name);
    const texts = HOSTILE_TEXTS.map((hostile, index) =>
      make(
        { name: hostile.code, inWords: hostile.name },
        `hostile/query/${name}/${index}`,
        [...others, [name, hostile.text]],
        () => admits(name, hostile.text),
      ),
    );
    // A small number may be an id, and what it names be changed: a write says twice what is served.
    const [, given = '-1'] = recipe.query.find(([one]) => one === name) ?? [];
    const [first, second] = isSafe(operation.method) ? ['1', '2'] : [given, given];
    const twice = [...others, [name, first], [name, second]] as const;
    const kind = { name: 'duplicate-parameter', inWords: 'duplicate query parameter' };
    return [...texts, make(kind, `hostile/query/${name}/twice`, twice)];
  });
}

/** Every server reads it, or may: where no header is described this one carries the texts. */
const READ_BY_ALL = 'Accept-Language';

/** Tells whether the header says who asks, under which key, or in which form. */
function isOurs(name: string): boolean {
  return isKeyHeader(name) || /^(accept|authorization|content-type|cookie)$/i.test(name);
}

/** The header, or the cookie in one, that carries a hostile text. */
interface Carrier {
  readonly name: string;
  /** Stands before the text. */
  readonly before: string;
}

function headerCases(world: World, { operation, recipe }: Reached): readonly HostileCase[] {
  const described = operation.parameters.filter(({ in: place, name }) => place === 'header' && !isOurs(name));
  const cookies = operation.parameters.filter((parameter) => parameter.in === 'cookie' && isVariable(parameter));
  // An operation that creates would do so under any header.
  if (operation.method !== 'GET' && (described.length + cookies.length === 0 || isHarmful(world, operation))) return [];
  const ofHeaders = described.length > 0 ? described.map(({ name }) => name) : [READ_BY_ALL];
  const names: readonly Carrier[] = [
    ...ofHeaders.map((name) => ({ name, before: '' })),
    ...cookies.map(({ name }) => ({ name: 'Cookie', before: `${uriEncoded(name)}=` })),
  ];
  return names.flatMap(({ name, before }) =>
    HOSTILE_HEADERS.map((hostile, index) => ({
      place: 'header' as const,
      kind: { name: `${hostile.code}-in-header`, inWords: `${hostile.name} in a header` },
      probe: `hostile/header/${name}/${index}`,
      plan: (): RequestPlan => {
        const plan = planOf(recipe, `hostile/header/${name}/${index}`, drawFor(world, 'hostile'), {
          intent: 'hostile',
        });
        const others = plan.headers.filter(([given]) => given.toLowerCase() !== name.toLowerCase());
        return { ...plan, headers: [...others, [name, before + hostile.text]] };
      },
    })),
  );
}

/** Texts that are sent in an id above the last one of a path: numbers that the server itself has to read. */
const OF_PARENTS = new Set(['huge-integer', 'negative-number']);

function pathCases(world: World, { operation, recipe }: Reached): readonly HostileCase[] {
  const names = parameterNames(operation.path);
  return names.toReversed().flatMap((name) =>
    HOSTILE_SEGMENTS.flatMap((hostile, index): readonly HostileCase[] => {
      if (name !== names.at(-1) && !OF_PARENTS.has(hostile.code)) return [];
      const probe = `hostile/path/${name}/${index}`;
      const plan = (): RequestPlan => {
        const path = withBytes(pathOf(recipe, { ...recipe.pathValues, [name]: hostile.text }));
        const asked = planOf(recipe, probe, drawFor(world, 'hostile'), { path, makes: 'nothing', intent: 'hostile' });
        // An id that names nothing is refused in any language.
        return index % 2 === 0 ? asked : inOtherLanguage(asked, operation);
      };
      const kind = { name: `${hostile.code}-in-path`, inWords: `${hostile.name} in the path` };
      return [{ place: 'path', kind, probe, plan }];
    }),
  );
}
