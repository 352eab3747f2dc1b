// Reads what the sentence of a refusal demands of an input: values that it lists, members that it misses or does not know, types,
// bounds, patterns, formats. These are the forms of words of validators at large; a sentence that has none of them demands nothing.

import type { JsonObject } from '../openapi/json.ts';

export type Demand =
  /** Must be there. */
  | { readonly kind: 'missing' }
  /** Must not be there. */
  | { readonly kind: 'unknown' }
  /** Must fit this schema. */
  | { readonly kind: 'fits'; readonly schema: JsonObject };

export interface Demanded {
  /** Names in the sentence; empty: the place of the sentence itself. */
  readonly names: readonly string[];
  readonly demand: Demand;
}

/** Longer sentences are read to here. */
const MAX_CHARACTERS = 2_000;
const MAX_LISTED = 100;

const QUOTED = /["'`‘’“”]([^"'`‘’“”]{1,100})["'`‘’“”]/g;
const QUOTED_LIST = /^[\s[({]*(["'`‘’“”][^"'`‘’“”]{1,100}["'`‘’“”][\s,|/]*(?:\b(?:or|and)\b)?[\s,|/]*)+/;
/** Words that stand before a list of values; after the weak ones other things stand as well, which no quotes enclose. */
const BEFORE_LIST =
  /(?<!not )\b(?:one of|any of|permitted|allowed|accepted|accepts|valid (?:\w+ )?(?:values|options|choices|types|names)|choose from|supported|possible values|known values|available (?:values|options|types|choices)|options|choices)\b[^:[({"'`]{0,60}(?:are|is|be|[:=[({]|(?=["'`]))\s*/gi;
const BEFORE_WORDS = /\b(?:one of|either)\s+/gi;
const BEFORE_QUOTES =
  /\b(?:must|should|has to|needs to) be(?: either| equal to| exactly)?\s+(?=["'`])|\bexpected:?\s+(?=["'`])/gi;

const WORD = '[A-Za-z_][\\w.\\-]{0,60}';
const NAMED = `(?:["'\`‘“]([^"'\`’”]{1,100})["'\`’”]|(${WORD}))`;
const KINDS =
  '(?:required |mandatory |request |query |body )*(?:field|propert(?:y|ies)|parameter|param|key|argument|attribute|member|input|value)s?';
const MISSING: readonly RegExp[] = [
  new RegExp(`\\bmissing (?:a |an |the )?${KINDS}[:\\s(]*${NAMED}`, 'i'),
  new RegExp(`\\bmissing:? ${NAMED}\\s*$`, 'i'),
  new RegExp(`\\brequired ${KINDS}[:\\s(]*${NAMED}`, 'i'),
  new RegExp(`\\b(?:field|property|parameter) required:? ${NAMED}`, 'i'),
  new RegExp(
    `${NAMED}(?: ${KINDS})? (?:is|are) (?:a )?(?:required|missing|mandatory|not (?:set|provided|specified|given))\\b`,
    'i',
  ),
  new RegExp(
    `${NAMED}(?: ${KINDS})? (?:cannot|can't|can not|must not|may not|should not) be (?:null|none|empty|blank|undefined|missing|omitted)`,
    'i',
  ),
  new RegExp(`${NAMED}(?: ${KINDS})? must be (?:provided|specified|set|supplied|given|present)`, 'i'),
  new RegExp(
    `\\b(?:must|should|please|need to|has to) (?:specify|provide|include|contain|supply|set|have) (?:a |an |the |either |valid )*${NAMED}`,
    'i',
  ),
  /\bvalidation for '(\w{1,60})' failed on the 'required' tag/i,
  new RegExp(`\\bno ${NAMED} (?:was |were )?(?:provided|given|specified|supplied)`, 'i'),
];
/** Words that stand where a name might. */
const NO_NAME =
  /^(this|that|it|at|a|an|the|values?|fields?|data|which|one|all|any|some|input|items?|and|or|be|is|not|string|object|body|more|less)$/i;
/** The place of the sentence itself is empty. */
const IS_MISSING =
  /\b(?:is (?:a )?(?:required|mandatory|missing)|field required|missing data|required(?: field| value)?\.?$|(?:cannot|can't|must not|may not|should not) be (?:null|none|empty|blank|undefined|missing)|^required$|^missing$)/i;
const UNKNOWN: readonly RegExp[] = [
  /\b(?:unknown|unexpected|unrecogni[sz]ed|additional|extra|unsupported)\b[^"'`]{0,40}["'`]([^"'`]{1,100})["'`]/i,
  /["'`]([^"'`]{1,100})["'`][^"'`]{0,40}(?:(?:was|were|is) (?:unexpected|unknown)|(?:is|are) not (?:allowed|permitted)|does not match any of the regexes)/i,
  /\bproperty (\w{1,60}) should not exist/i,
];
const OF_MEMBERS = /\b(?:field|propert(?:y|ies)|key|parameter|member|attribute|argument)s?\b/i;
const IS_UNKNOWN =
  /\b(?:extra (?:inputs|fields) (?:are )?not permitted|unknown (?:field|property|key|parameter)\.?$|unexpected (?:field|property|key)\.?$|is not a known (?:field|property))/i;

/** Members that are the server's alone. */
const RESERVED: readonly RegExp[] = [
  /["'`]([^"'`]{1,100})["'`](?: \w+)? is (?:for internal use only|read-?only|not writable|immutable|reserved)/i,
];
/** Lists of members of which one alone may be there, and of which one must. */
const ONE_ALONE: readonly RegExp[] = [
  /\b(?:only|exactly|at most|no more than) one of (?:the )?(.{3,200}?) (?:can|may|must|should|is|are|has to|needs to)\b/i,
  /(?:^|: |, )(?:the )?([^.:]{3,200}?) (?:are mutually exclusive|cannot (?:both )?be \w+ (?:together|at the same time))/i,
];
const ONE_AT_LEAST: readonly RegExp[] = [
  /\b(?:either|one of|any of) (?:the )?(.{3,200}?) (?:must|has to|have to|should|needs? to|is required|are required)\b/i,
  /\bno (.{3,200}?) (?:was |were )?(?:provided|given|specified|supplied)\b/i,
];

const TYPES: Readonly<Record<string, string>> = {
  ...{ string: 'string', str: 'string', text: 'string', integer: 'integer', int: 'integer', number: 'number' },
  ...{ float: 'number', boolean: 'boolean', bool: 'boolean', array: 'array', list: 'array', sequence: 'array' },
  ...{ object: 'object', dict: 'object', dictionary: 'object', mapping: 'object', map: 'object' },
};
const TYPE = new RegExp(
  `\\b(?:must be|should be|expected|expecting|not|of type|valid)(?: an?| of type| type)?:? ["'\`]?(?:valid )?(${Object.keys(TYPES).join('|')})\\b`,
  'i',
);
const PATTERN =
  /\b(?:match(?:es)?|pattern|reg(?:ular )?ex(?:p(?:ression)?)?)\b[^"'`^]{0,40}(?:["'`](.{1,200})["'`]|(\^\S{1,200}\$))/i;

/** Values that people write where a thing of this name is asked for. */
const FORMS: readonly (readonly [words: RegExp, schema: JsonObject])[] = [
  [/\be-?mail\b/i, { format: 'email' }],
  [/\buuid|guid\b/i, { format: 'uuid' }],
  [/\b(?:url|uri)\b/i, { format: 'uri' }],
  [/\b(?:date-?time|timestamp|iso ?-?8601|rfc ?-?3339)\b/i, { format: 'date-time' }],
  [/\bdate\b/i, { format: 'date' }],
  [/\bip(?:v4)? address\b/i, { format: 'ipv4' }],
  [/\bhost ?name\b/i, { format: 'hostname' }],
  [/\bcron\b/i, { enum: ['0 0 * * *'] }],
  [/\btime ?zone\b/i, { enum: ['UTC', 'Europe/London'] }],
  [/\bcolou?r\b/i, { enum: ['#336699'] }],
  [/\bsemantic version|semver\b/i, { enum: ['1.0.0'] }],
  [/\bslug\b/i, { pattern: '^[a-z][a-z0-9-]{5,20}$' }],
  [/\balphanumeric\b/i, { pattern: '^[a-z][a-z0-9]{5,20}$' }],
];
const IS_FORM = /\b(?:valid|invalid|must be|should be|expected|parse|format|malformed|not an?)\b/i;

/** Words that tell the unit of a bound, where it is not of a number. */
const UNITS: readonly (readonly [words: RegExp, unit: string])[] = [
  [/character|letter|length|long\b|short|symbol|byte/i, 'Length'],
  [/\b(?:item|element|entr(?:y|ies)|value)s\b/i, 'Items'],
];
const NUMBER = '(-?\\d+(?:\\.\\d+)?)';
const LOWER = new RegExp(
  `(?:(?:greater|more) than or equal to|at least|>=|≥|no less than|not (?:be |have )?(?:less|fewer|shorter|smaller) than|minimum(?: \\w+)?(?: is| of|:)?) ?${NUMBER}`,
  'i',
);
const ABOVE = new RegExp(`(?:(?:greater|more|larger|longer) than|>) ?${NUMBER}`, 'i');
const UPPER = new RegExp(
  `(?:(?:less|fewer) than or equal to|at most|<=|≤|no more than|no longer than|not (?:be |have )?(?:exceed|(?:greater|more|longer|larger) than)|up to|maximum(?: \\w+)?(?: is| of|:)?) ?${NUMBER}`,
  'i',
);
const BELOW = new RegExp(`(?:(?:less|fewer|smaller|shorter) than|<) ?${NUMBER}`, 'i');
const BETWEEN = new RegExp(`between ${NUMBER} and ${NUMBER}`, 'i');

/** The demands of one sentence, those that it names first. */
export function demandsOf(sentence: string): readonly Demanded[] {
  const text = sentence.slice(0, MAX_CHARACTERS);
  const [kept, ...excluded] = membersBy(ONE_ALONE, text);
  if (kept !== undefined && excluded.length > 0) return [{ names: excluded, demand: { kind: 'unknown' } }];
  const [needed] = membersBy(ONE_AT_LEAST, text);
  if (needed !== undefined) return [{ names: [needed], demand: { kind: 'missing' } }];
  const reserved = namesBy(RESERVED, text);
  if (reserved.length > 0) return [{ names: reserved, demand: { kind: 'unknown' } }];
  const unknown = namesBy(UNKNOWN, text);
  if (IS_UNKNOWN.test(text)) return [own({ kind: 'unknown' })];
  // A value may be what is not supported: then those that are may follow. Beside a member that is not known its siblings are listed.
  if (unknown.length > 0 && OF_MEMBERS.test(text)) return [{ names: unknown, demand: { kind: 'unknown' } }];
  const missing = namesBy(MISSING, text).filter((name) => !NO_NAME.test(name));
  const schema = schemaOf(text, listedIn(text));
  return [
    ...(missing.length === 0 ? [] : [{ names: missing, demand: { kind: 'missing' } } as const]),
    ...(IS_MISSING.test(text) ? [own({ kind: 'missing' })] : []),
    ...(schema === null ? [] : [own({ kind: 'fits', schema })]),
  ];
}

function own(demand: Demand): Demanded {
  return { names: [], demand };
}

function namesBy(patterns: readonly RegExp[], text: string): readonly string[] {
  for (const pattern of patterns) {
    const found = pattern
      .exec(text)
      ?.slice(1)
      .find((name) => name !== undefined && name !== '');
    if (found === undefined) continue;
    // "missing properties: 'a', 'b'": the others follow the first one.
    const rest = text
      .slice(text.indexOf(found) + found.length + 1)
      .match(/^(?:\s*(?:,|and)\s*["'`][^"'`]{1,100}["'`])+/)?.[0];
    return [found, ...quotedIn(rest ?? '')];
  }
  return [];
}

/** "a, `b` or the c" as names; none where what stands there are no names. */
function membersBy(patterns: readonly RegExp[], text: string): readonly string[] {
  const list = patterns.map((pattern) => pattern.exec(text)?.[1]).find((found) => found !== undefined) ?? '';
  const names = list
    .split(/\s*(?:,|\band\b|\bor\b)\s*/)
    .map((name) => name.replace(/^(?:an?|the) /i, '').replaceAll(/["'`‘’“”]/g, ''));
  const real = names.filter((name) => name !== '');
  // A member may be called by its words: "a start time" for start_time.
  return real.length > 1 && real.every((name) => /^[A-Za-z_][\w.-]{1,60}( [\w.-]{1,60}){0,3}$/.test(name)) ? real : [];
}

function quotedIn(text: string): readonly string[] {
  return [...text.matchAll(QUOTED)].flatMap(([, quoted]) => (quoted === undefined ? [] : [quoted]));
}

function schemaOf(text: string, listed: readonly string[]): JsonObject | null {
  if (listed.length > 0) return { enum: valuesOf(listed) };
  const [, quoted, bare] = PATTERN.exec(text) ?? [];
  const pattern = quoted ?? bare;
  if (pattern !== undefined) return { pattern };
  const type = TYPES[(TYPE.exec(text)?.[1] ?? '').toLowerCase()];
  const bounds = boundsIn(text, type);
  if (Object.keys(bounds).length > 0) return bounds;
  const form = IS_FORM.test(text) ? FORMS.find(([words]) => words.test(text)) : undefined;
  return form?.[1] ?? (type === undefined ? null : { type });
}

/** A sentence writes numbers and flags as it writes words: the type that the description states decides. */
export function valuesOf(listed: readonly unknown[]): readonly unknown[] {
  return listed.slice(0, MAX_LISTED).flatMap((one) => {
    if (typeof one !== 'string') return [one];
    if (/^-?\d{1,15}(\.\d{1,6})?$/.test(one)) return [one, Number(one)];
    return /^(true|false)$/i.test(one) ? [one, one.toLowerCase() === 'true'] : [one];
  });
}

function listedIn(text: string): readonly string[] {
  for (const pattern of [BEFORE_LIST, BEFORE_WORDS, BEFORE_QUOTES]) {
    for (const { 0: before, index } of text.matchAll(pattern)) {
      const rest = text.slice(index + before.length);
      const [quotedList] = QUOTED_LIST.exec(rest) ?? [];
      const values = quotedList === undefined ? (pattern === BEFORE_QUOTES ? [] : bareIn(rest)) : quotedIn(quotedList);
      const real = values.filter((value) => !/^(null|none|nil|undefined)$/i.test(value));
      if (real.length > 0) return real;
    }
  }
  return [];
}

/** "a, b or c" in words that have no spaces, to the end of the list. */
function bareIn(text: string): readonly string[] {
  const [list = ''] = /^[^\])};\n]*?(?=[\])};\n]|\.\s|\.?$)/.exec(text.replace(/^[\s[({]+/, '')) ?? [];
  const words = list
    .split(/\s*(?:,|\||\bor\b|\band\b)\s*/)
    .map((word) => word.trim())
    .filter((word) => word !== '');
  return words.length > 1 && words.every((word) => /^[\w.:/+*-]{1,100}$/.test(word)) ? words : [];
}

function boundsIn(text: string, type: string | undefined): JsonObject {
  const unit = UNITS.find(([words]) => words.test(text))?.[1] ?? '';
  const [low, high] = unit === '' ? ['minimum', 'maximum'] : [`min${unit}`, `max${unit}`];
  const step = unit === '' && type === 'number' ? 0.5 : 1;
  const [, from, to] = BETWEEN.exec(text) ?? [];
  const [least, above, most, below] = [LOWER, ABOVE, UPPER, BELOW].map((one) => one.exec(text)?.[1]);
  const isStated = least !== undefined || most !== undefined;
  const positive = unit === '' && /\bpositive\b/i.test(text) ? '1' : undefined;
  const bounds: readonly (readonly [keyword: string, text: string | undefined, plus: number])[] = [
    [low, from ?? least ?? positive, 0],
    [high, to ?? most, 0],
    [low, isStated ? undefined : above, step],
    [high, isStated ? undefined : below, -step],
  ];
  return Object.fromEntries(
    bounds.flatMap(([keyword, bound, plus]) => (bound === undefined ? [] : [[keyword, Number(bound) + plus]])),
  );
}
