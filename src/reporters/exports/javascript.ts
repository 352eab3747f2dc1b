// Shared parts of the formats whose tests are written in JavaScript: requests as literals, and demands on an answer as
// expressions with a sentence each. An expression reads `status`, `header(name)` and `json`, the parsed body.
import type { BodyDemand, Expectation, HeaderDemand } from './expectation.ts';
import { BASE_VARIABLE, type Part, type Parts } from './request.ts';

export interface Condition {
  /** "the status is below 500". */
  readonly sentence: string;
  readonly expression: string;
}

/** Characters that reorder or hide what stands around them, in a file that people read before they run it. */
const INVISIBLE = /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** The value as a literal of JavaScript, and of Python where it is a text or a list of texts. */
export function quoted(value: unknown): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replaceAll(INVISIBLE, escaped);
}

/** Demands in order, the status first: the others rest on it. */
export function conditionsOf({ statuses, but, header, body }: Expectation): readonly Condition[] {
  const ranges = statuses.map(([lowest, highest]) =>
    lowest === highest ? `status === ${lowest}` : `(status >= ${lowest} && status <= ${highest})`,
  );
  const except = but.map((status) => ` && status !== ${status}`).join('');
  const all = ranges.length > 1 ? `(${ranges.join(' || ')})` : ranges.join('');
  const expected = { sentence: statusSentence({ statuses, but }), expression: `${all}${except}` };
  return [
    expected,
    ...(header === null ? [] : [headerCondition(header)]),
    ...(body === null ? [] : [bodyCondition(body)]),
  ];
}

/** "the status is 200 or 400 to 499, and not 401 or 429". */
export function statusSentence({ statuses, but }: Pick<Expectation, 'statuses' | 'but'>): string {
  const ranges = statuses.map(([lowest, highest]) => (lowest === highest ? `${lowest}` : `${lowest} to ${highest}`));
  return `the status is ${ranges.join(' or ')}${but.length === 0 ? '' : `, and not ${but.join(' or ')}`}`;
}

export function headerSentence({ name, types }: HeaderDemand): string {
  return types === null ? `the header ${name} is there` : `the ${name} is ${types.join(' or ')}`;
}

function headerCondition(demand: HeaderDemand): Condition {
  const value = `header(${quoted(demand.name)})`;
  const patterns = demand.types?.map(
    (type) => `^${type.replaceAll(/[.+]/g, '\\$&').replaceAll('*', '[^;]*')}\\s*(;|$)`,
  );
  const expression =
    patterns === undefined
      ? `typeof ${value} === 'string'`
      : `new RegExp(${quoted(patterns.join('|'))}, 'i').test(${value} || '')`;
  return { sentence: headerSentence(demand), expression };
}

export function bodySentence({ at, must }: BodyDemand): string {
  const place = at.length === 0 ? 'the body' : `/${at.join('/')}`;
  switch (must.be) {
    case 'present':
      return at.length === 0 ? 'the body is JSON' : `${place} is there`;
    case 'status':
      return `${place} is the status`;
    case 'type':
      return `${place} is of type ${must.types.join(' or ')}`;
    case 'value':
      return `${place} is ${must.values.map((value) => JSON.stringify(value)).join(' or ')}`;
  }
}

function bodyCondition(demand: BodyDemand): Condition {
  return {
    sentence: bodySentence(demand),
    expression: `everyAt(json, ${quoted(demand.at)}, (value) => ${valueExpression(demand)})`,
  };
}

function valueExpression({ must }: BodyDemand): string {
  switch (must.be) {
    case 'present':
      return 'value !== undefined';
    case 'status':
      return 'value === status';
    case 'type':
      return must.types.map((type) => TYPES[type]).join(' || ');
    case 'value':
      return `${quoted(must.values)}.includes(value)`;
  }
}

const TYPES: Readonly<Record<string, string>> = {
  array: 'Array.isArray(value)',
  boolean: "typeof value === 'boolean'",
  integer: 'Number.isInteger(value)',
  null: 'value === null',
  number: "typeof value === 'number'",
  object: "(typeof value === 'object' && value !== null && !Array.isArray(value))",
  string: "typeof value === 'string'",
};

/** Functions that expressions on bodies call. */
export const BODY_HELPERS = `
/** The body as JSON; undefined where it is none. */
function jsonIn(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    return undefined;
  }
}

/**
 * Tells whether a value stands at the place, and all that do are as they must be; "*" is each item of a list, or each
 * value of a map.
 */
function everyAt(json, place, isAsItMustBe) {
  let found = json === undefined ? [] : [json];
  for (const name of place) {
    const held = found.filter((value) => typeof value === 'object' && value !== null);
    found = held.reduce((all, value) => all.concat(name === '*' ? Object.values(value) : [value[name]]), []);
  }
  return found.length > 0 && found.every((value) => isAsItMustBe(value));
}`.trimStart();

/** The numbers of what is drawn anew for the texts. */
export function freshIn(texts: readonly Parts[]): readonly number[] {
  const numbers = texts.flat().flatMap((part) => ('fresh' in part ? [part.fresh] : []));
  return [...new Set(numbers)].toSorted((left, right) => left - right);
}

/** A literal: variables are `TARGET_URL` and `env(name)`, letters drawn anew `fresh1`, `fresh2` … */
export function literal(parts: Parts): string {
  if (parts.every((part) => 'text' in part))
    return quoted(parts.map((part) => ('text' in part ? part.text : '')).join(''));
  return `\`${parts.map(inTemplate).join('')}\``;
}

function inTemplate(part: Part): string {
  if ('fresh' in part) return `\${fresh${part.fresh}}`;
  if ('variable' in part)
    return `\${${part.variable === BASE_VARIABLE ? BASE_VARIABLE : `env(${quoted(part.variable)})`}}`;
  // A template reads the escapes of JSON alike; its own signs are escaped beside.
  return quoted(part.text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll(/`|\$\{/g, '\\$&');
}

/** Lines of comment. */
export function comment(lines: readonly string[]): string {
  return lines.map((line) => `// ${line}`.trimEnd()).join('\n');
}
