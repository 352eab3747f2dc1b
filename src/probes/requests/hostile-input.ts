// REQ-09 on one operation: hostile members, bodies, query values and path segments. Whatever is answered below 500 is fine.

import { jsonText } from '../../exchange/body.ts';
import { parsedJson, uriEncoded } from '../../exchange/decoded.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import { isKeyHeader } from '../../exchange/idempotency-key.ts';
import { isSafe } from '../../exchange/methods.ts';
import { isOpenStream } from '../../facts/answered.ts';
import { parameterNames } from '../../facts/paths.ts';
import { bodyType, isValid, jsonBodyType } from '../../generate/bodies.ts';
import {
  BEYOND_RANGE,
  DATES_AT_THEIR_ENDS,
  HOSTILE_BODIES,
  HOSTILE_HEADERS,
  HOSTILE_MEMBERS,
  HOSTILE_SEGMENTS,
  HOSTILE_TEXTS,
  type Hostile,
  type HostileBody,
  type HostileText,
  HUGE_STRING,
  NUMBERS_BEYOND_JSON,
  ORDINARY_NUMBERS,
  UNKNOWN_MEMBERS,
  UNREADABLE_BODIES,
} from '../../generate/hostile.ts';
import { isVariable } from '../../generate/targets/operation-inputs.ts';
import { asObject, isObject } from '../../openapi/json.ts';
import { contentTypeFor } from '../../openapi/model/media-types.ts';
import { spotOf } from '../../openapi/model/operation.ts';
import type { Course, Experiment } from '../probe.ts';
import { inOtherLanguage, pathOf, planOf, queryText, recipeBody } from '../reach/recipe.ts';
import { drawFor, type Reached, type World } from '../world.ts';
import {
  bundlesOf,
  hasFailed,
  isHarmful,
  judgedAs,
  type Part,
  partOf,
  planWith,
  repeated,
  togetherCourse,
} from './hostile-together.ts';

interface HostileCase extends Pick<Part, 'place' | 'kind'> {
  readonly probe: string;
  readonly plan: () => RequestPlan;
  /** Tells whether the description admits it: then it comes further than to where input is refused. Absent: it is not asked. */
  readonly isAdmitted?: () => boolean;
}

const MEMBER_LIMIT = 12;
/** Members of objects inside the body that are tried, too: the first with every kind, the others with those of their type, and those that are admitted. */
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
  const described = operation.parameters.find(({ in: place, name }) => place === 'header' && !isOurs(name));
  return bundlesOf(world, reached, described?.name ?? READ_BY_ALL, turn).map((bundle) => ({
    probe: bundle.probe,
    stage: bundle.round === 0 ? 'lean' : 'depth',
    rank: bundle.round === 0 ? 80 : 58,
    clauses: ['REQ-09'],
    ...spotOf(operation),
    cost: 1,
    run: () => togetherCourse(world, reached, bundle),
  }));
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
  const kinds = [...Map.groupBy(cases, ({ kind, place }) => `${place} ${kind.code}`).values()];
  return kinds.flatMap((alike, index) => {
    const turned = [...alike.slice(index % alike.length), ...alike.slice(0, index % alike.length)];
    return (deep ? turned.find(({ isAdmitted }) => isAdmitted?.()) : undefined) ?? turned[0] ?? [];
  });
}

/** Sends and judges one hostile input: once, and where it failed twice more, on fresh connections, since only what shows again is the input's doing. */
function* hostileCourse({ kind, plan: made }: HostileCase, reached: Reached, world: World): Course {
  const plan = made();
  const { last } = yield plan;
  const sends = hasFailed(last) && !world.failsAnyway(last) ? yield* repeated(plan, [last]) : [last];
  return judgedAs(kind, sends, world, reached);
}

/** The case of one value, or of several under one name, in the recipe's request. A body that holds one is made for it. */
function caseOf(
  world: World,
  reached: Reached,
  probe: string,
  parts: readonly [Part, ...Part[]],
  isAdmitted?: HostileCase['isAdmitted'],
): HostileCase {
  const [{ place, kind }] = parts;
  const label = place === 'body' ? probe : 'hostile';
  const plan = (): RequestPlan => planWith(world, reached, probe, parts, label);
  return { place, kind, probe, plan, ...(isAdmitted === undefined ? {} : { isAdmitted }) };
}

/** Bodies of every media type are tried by a description alone, forms and texts, too; else those of JSON. */
function bodyCases(world: World, reached: Reached): readonly HostileCase[] {
  const { description, operation } = reached;
  const json = jsonBodyType(operation);
  const media = world.contract === 'openapi' ? bodyType(operation) : json;
  if (media === null) return [];
  const { schema } = media;
  const base = recipeBody(reached.recipe, drawFor(world, 'hostile'));
  const fields = isObject(base) ? Object.keys(base).slice(0, MEMBER_LIMIT) : [];
  const named = fields.length > 0 || media !== json ? fields : ['assay'];
  const members = named.flatMap((field, at) =>
    [...HOSTILE_MEMBERS, ...(at === 0 ? [HUGE_STRING] : [])].map((hostile, index) =>
      caseOf(
        world,
        reached,
        `hostile/member/${field}/${index}`,
        [partOf('body', field, hostile)],
        () => isObject(base) && isValid(description, schema, { ...base, [field]: hostile.value }),
      ),
    ),
  );
  const contentType = contentTypeFor(media);
  const ofBytes = HOSTILE_BODIES.filter(({ isLatin1 }) => isLatin1).map((one) => ({ ...one, contentType }));
  const whole = (media === json ? [...HOSTILE_BODIES, ...UNREADABLE_BODIES] : ofBytes).map(
    (kind, index): HostileCase => ({
      ...{ place: 'body', kind, probe: `hostile/body/${index}` },
      plan: () => wholePlan(world, reached, kind, index),
    }),
  );
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
  const media = jsonBodyType(reached.operation);
  const base = media === null ? null : recipeBody(recipe, drawFor(world, 'hostile'));
  if (media === null || !isObject(base)) return [];
  const { schema } = media;
  const bodyCase = (kind: Hostile, at: string, value: unknown, text?: string): HostileCase => ({
    ...{ place: 'body', kind, probe: `hostile/${at}` },
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
      HOSTILE_MEMBERS.flatMap((kind, index) => {
        const body = { ...base, [outer]: { ...value, [field]: kind.value } };
        const isAlike = typeof kind.value === typeof value[field];
        if (at > 0 && !isAlike && !isValid(reached.description, schema, body)) return [];
        return bodyCase(kind, `member/${outer}/${field}/${index}`, body);
      }),
    ),
    ...members.slice(0, MEMBER_LIMIT).flatMap(([field, value]) => {
      const body = (other: unknown) => ({ ...base, [field]: other });
      if (typeof value === 'number')
        return ORDINARY_NUMBERS.map((one) => bodyCase(one, `member/${field}/${one.code}`, body(one.value)));
      if (typeof value === 'string')
        return [
          bodyCase(BLANKS, `member/${field}/blanks`, body('   ')),
          bodyCase(LINE_BREAKS, `member/${field}/lines`, body('assay\\\r\n\tassay\\')),
          ...datesIn(value).map((date, at) => bodyCase(DATE_AT_ITS_END, `member/${field}/date-${at}`, body(date))),
        ];
      if (!Array.isArray(value)) return [];
      const equal = value.slice(0, 1).map((item) => body([item, item]));
      return [
        ...equal.map((items) => bodyCase(EQUAL_ITEMS, `member/${field}/equal`, items)),
        bodyCase(NULL_ITEMS, `member/${field}/nulls`, body([null, null])),
      ];
    }),
    ...(numbers.length === 0 ? [] : [bodyCase(INFINITE, 'body/infinite', infinite, infiniteText)]),
    bodyCase(EMPTY_OBJECT, 'body/empty', {}),
    bodyCase(UNKNOWN, 'body/unknown', { ...base, ...UNKNOWN_MEMBERS }),
  ];
}

const BLANKS: Hostile = { code: 'blanks', name: 'blanks alone' };
const LINE_BREAKS: Hostile = { code: 'line-breaks', name: 'line breaks and backslashes' };
const EQUAL_ITEMS: Hostile = { code: 'equal-items', name: 'equal items' };
const NULL_ITEMS: Hostile = { code: 'null-items', name: 'nulls in a list' };
const INFINITE: Hostile = { code: 'number-beyond-range', name: 'number beyond every range' };
const EMPTY_OBJECT: Hostile = { code: 'empty-object', name: 'an object without members' };
const UNKNOWN: Hostile = { code: 'unknown-members', name: 'members that no description names' };
const DATE_AT_ITS_END: Hostile = { code: 'date-at-its-end', name: 'date at the end of its range' };

/** The first and the last day that dates know, in the form of this one; none for what is no date. */
function datesIn(value: string): readonly string[] {
  return /^\d{4}-\d\d-\d\d/.test(value) ? DATES_AT_THEIR_ENDS.map((date) => date + value.slice(date.length)) : [];
}

const ZERO: HostileText = { code: 'zero', name: 'zero', text: '0' };
const EMPTY: HostileText = { code: 'empty-number', name: 'nothing in place of a number', text: '' };
/** Under a name that nothing describes, for who decodes a query decodes all of it. */
const MALFORMED_PERCENT: HostileText = {
  code: 'malformed-percent',
  name: 'malformed percent-encoding',
  text: 'assay=%ZZ',
};

/** Numbers and days of which only parameters of that type make something. They come last, as all that few servers stumble over. */
function typedQueryCases(world: World, reached: Reached): readonly HostileCase[] {
  const { operation, description, recipe } = reached;
  if (operation.method !== 'GET') return [];
  const described = operation.parameters.filter(({ in: place }) => place === 'query');
  const probe = `hostile/query/${MALFORMED_PERCENT.code}`;
  const query = [queryText(recipe.query), MALFORMED_PERCENT.text].filter((part) => part !== '').join('&');
  const percent: HostileCase = {
    ...{ place: 'query', kind: MALFORMED_PERCENT, probe },
    plan: () => planOf(recipe, probe, drawFor(world, 'hostile'), { query, intent: 'hostile' }),
  };
  const typed = described.flatMap(({ name, schema }) => {
    const { type, format } = asObject(description.deref(schema?.value));
    const dates = DATES_AT_THEIR_ENDS.map((date) => (format === 'date' ? date : `${date}T00:00:00Z`));
    const texts: readonly HostileText[] = [
      ...(type === 'number' || type === 'integer' ? [...NUMBERS_BEYOND_JSON, ZERO, EMPTY] : []),
      ...(format === 'date' || format === 'date-time' ? dates.map((text) => ({ ...DATE_AT_ITS_END, text })) : []),
    ];
    return texts.map((hostile, at) =>
      caseOf(world, reached, `hostile/query/${name}/typed-${at}`, [partOf('query', name, hostile)]),
    );
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
  return (names.length > 0 ? names : ['assay']).flatMap((name) => {
    const at = (place: string | number): string => `hostile/query/${name}/${place}`;
    const texts = HOSTILE_TEXTS.map((hostile, index) =>
      caseOf(world, reached, at(index), [partOf('query', name, hostile)], () => admits(name, hostile.text)),
    );
    // A small number may be an id, and what it names be changed: a write says twice what is served.
    const [, given = '-1'] = recipe.query.find(([one]) => one === name) ?? [];
    const [first, second] = isSafe(operation.method) ? ['1', '2'] : [given, given];
    const part = (text: string): Part => partOf('query', name, { ...DUPLICATE, text });
    return [...texts, caseOf(world, reached, at('twice'), [part(first), part(second)])];
  });
}

const DUPLICATE: Hostile = { code: 'duplicate-parameter', name: 'duplicate query parameter' };

/** Every server reads it, or may: where no header is described this one carries the texts. */
const READ_BY_ALL = 'Accept-Language';

/** Tells whether the header says who asks, under which key, or in which form. */
function isOurs(name: string): boolean {
  return isKeyHeader(name) || /^(accept|authorization|content-type|cookie)$/i.test(name);
}

function headerCases(world: World, reached: Reached): readonly HostileCase[] {
  const { operation } = reached;
  const described = operation.parameters.filter(({ in: place, name }) => place === 'header' && !isOurs(name));
  const cookies = operation.parameters.filter((parameter) => parameter.in === 'cookie' && isVariable(parameter));
  // An operation that creates would do so under any header.
  if (operation.method !== 'GET' && (described.length + cookies.length === 0 || isHarmful(world, operation))) return [];
  const ofHeaders = described.length > 0 ? described.map(({ name }) => name) : [READ_BY_ALL];
  // A cookie stands in a header, behind its name.
  const carriers = [
    ...ofHeaders.map((name) => [name, ''] as const),
    ...cookies.map(({ name }) => ['Cookie', `${uriEncoded(name)}=`] as const),
  ];
  return carriers.flatMap(([name, before]) =>
    HOSTILE_HEADERS.map((hostile, index) => {
      const part = partOf('header', name, { ...hostile, text: before + hostile.text });
      return caseOf(world, reached, `hostile/header/${name}/${index}`, [part]);
    }),
  );
}

/** Texts that are sent in an id above the last one of a path: numbers that the server itself has to read. */
const OF_PARENTS = new Set(['huge-integer', 'negative-number']);

function pathCases(world: World, reached: Reached): readonly HostileCase[] {
  const { operation } = reached;
  const names = parameterNames(operation.path);
  return names.toReversed().flatMap((name) =>
    HOSTILE_SEGMENTS.flatMap((hostile, index): readonly HostileCase[] => {
      if (name !== names.at(-1) && !OF_PARENTS.has(hostile.code)) return [];
      const one = caseOf(world, reached, `hostile/path/${name}/${index}`, [partOf('path', name, hostile)]);
      // An id that names nothing is refused in any language.
      return [index % 2 === 0 ? one : { ...one, plan: () => inOtherLanguage(one.plan(), operation) }];
    }),
  );
}
