// Makes the content that a signature is made over: the body alone, or joined with a timestamp, an id, the address or a
// version. Written as text with places in braces, "{webhook-id}.{webhook-timestamp}.{body}"; `form` of the
// configuration takes the same text.
//
//   {body}            the raw body
//   {name}            the header of that name; {name:t} its member `t=…`; {name:0} its first bare word; {?name} of the query
//   {signed-headers}  the names of the headers that are signed, too, as the delivery lists them; {signed-values} their values
//                     joined by full stops; {signed-lines} as name:value joined by semicolons
//   {url} {path} {method}   of the request, as the sender knows them
//   \n                a line break
import { bodyReadings, type Delivery, headerOf, queryOf } from '../../exchange/delivery.ts';
import { isOrdinary } from './ordinary-headers.ts';

export type Piece = { readonly literal: string } | { readonly place: string };
export type Template = readonly Piece[];
/** The parts that are digested, in order. */
export type Content = readonly (string | Buffer)[];

const PLACE = /\{([^{}]+)\}/;
const LONGEST_JOINED = 300;

/** The template that the text describes. */
export function templateOf(text: string): Template {
  return text
    .split(PLACE)
    .map((part, index) => (index % 2 === 1 ? { place: part.toLowerCase() } : { literal: part.replaceAll('\\n', '\n') }))
    .filter((piece) => !('literal' in piece) || piece.literal !== '');
}

export function templateText(template: Template): string {
  const written = (piece: Piece): string =>
    'place' in piece ? `{${piece.place}}` : piece.literal.replaceAll('\n', '\\n');
  return template.map(written).join('');
}

/** Every reading of what the template describes in this delivery; none where a header that it names is missing. */
export function contentsOf(
  template: Template,
  delivery: Delivery,
  bodies: readonly Buffer[] = bodyReadings(delivery),
): readonly Content[] {
  let contents: readonly Content[] = [[]];
  for (const piece of template) {
    const readings = 'literal' in piece ? [piece.literal] : readingsAt(piece.place, delivery, bodies);
    contents = contents.flatMap((before) => readings.map((one) => [...before, one]));
  }
  return contents;
}

function readingsAt(place: string, delivery: Delivery, bodies: readonly Buffer[]): readonly (string | Buffer)[] {
  switch (place) {
    case 'body':
      return bodies;
    case 'method':
      return [delivery.method];
    case 'path':
      return [delivery.path];
    case 'url':
      return addressesOf(delivery);
    default:
      return SIGNED_PLACES.has(place) ? signedHeadersAt(place, delivery) : valuesAt(place, delivery);
  }
}

/** The addresses that the sender may have used; a tunnel changes scheme and host on the way. */
function addressesOf(delivery: Delivery): readonly string[] {
  const hosts = ['x-forwarded-host', 'host'].flatMap((name) => headerOf(delivery, name) ?? []);
  const schemes = headerOf(delivery, 'x-forwarded-proto') === 'https' ? ['https', 'http'] : ['http', 'https'];
  const paths = delivery.path === '/' ? ['/', ''] : [delivery.path];
  return schemes.flatMap((scheme) => hosts.flatMap((host) => paths.map((path) => `${scheme}://${host}${path}`)));
}

/** The values at a place that names a header, one of its members, or one of the query; none where it is missing. */
export function valuesAt(place: string, delivery: Delivery): readonly string[] {
  if (place.startsWith('?')) return queryOf(delivery).flatMap(([name, value]) => (name === place ? [value] : []));
  const colon = place.indexOf(':');
  const value = headerOf(delivery, colon < 0 ? place : place.slice(0, colon));
  if (value === null) return [];
  if (colon < 0) return [value];
  const wanted = place.slice(colon + 1);
  return membersOf(value).flatMap(({ name, text }) => (name === wanted ? [text] : []));
}

interface Member {
  /** In lower case; the position of a bare word. */
  readonly name: string;
  readonly text: string;
}

/** The members of a header such as `t=1700000000,v1=…`, and its bare words by position. */
function membersOf(value: string): readonly Member[] {
  const words = value
    .slice(0, 2000)
    .split(/[\s,;|&]+/)
    .filter((word) => word !== '');
  const members: Member[] = [];
  for (const word of words) {
    const [, name, text] = /^"?([A-Za-z][\w-]*)=(.+)$/.exec(word) ?? [];
    if (name !== undefined && text !== undefined)
      members.push({ name: name.toLowerCase(), text: text.replaceAll('"', '') });
    else for (const part of word.split(/[.:]/)) members.push({ name: String(members.length), text: part });
  }
  return members;
}

const STAMP = /^(\d{9,19}(\.\d+)?|\d{4}-\d\d-\d\dT?[\d:.+Zz -]*|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} [\d:]{8} GMT)$/;
const WORD = /^[\x21-\x7e]{1,200}$/;
const MOST_STAMPS = 6;
const MOST_IDS = 16;
/** Ids of which two are tried together: an event's name and its id, say. */
const MOST_PAIRED = 6;

/** Where timestamps and ids stand in a delivery that may be joined to its body. */
export interface Joinable {
  readonly stamps: readonly string[];
  readonly ids: readonly string[];
  /** True where it lists the headers that are signed with it. */
  readonly listsHeaders: boolean;
}

/** `signed`: the headers that hold what may be a signature; their members count, and not their whole values. */
export function joinableOf(delivery: Delivery, signed: ReadonlySet<string>): Joinable {
  const stamps: string[] = [];
  const ids: string[] = [];
  const note = (place: string, text: string): void => {
    if (STAMP.test(text)) stamps.push(place);
    else if (WORD.test(text)) ids.push(place);
  };
  for (const [name, value] of [...delivery.headers, ...queryOf(delivery)]) {
    if (isOrdinary(name) || value.length > LONGEST_JOINED * 10) continue;
    if (!signed.has(name)) note(name, value.trim());
    else
      for (const member of membersOf(value)) if (member.text.length < 40) note(`${name}:${member.name}`, member.text);
  }
  return {
    stamps: [...new Set(stamps)].slice(0, MOST_STAMPS),
    ids: [...new Set(ids)].slice(0, MOST_IDS),
    listsHeaders: signedHeadersAt('signed-headers', delivery).length > 0,
  };
}

/** Ids and stamps that are tried on bodies of any size. */
const MOST_USUAL = { ids: 4, stamps: 2 };

/** The few compositions that most platforms sign: those of Standard Webhooks, Stripe, Slack, Square and their like. */
export function* usualTemplates({ stamps, ids }: Joinable, labels: readonly string[]): Generator<Template> {
  const text = (...parts: readonly string[]): Template => templateOf(parts.join(''));
  const times = stamps.slice(0, MOST_USUAL.stamps).map((stamp) => `{${stamp}}`);
  const names = ids.filter((id) => /(^|[-_])(id|uuid|guid)$/.test(id)).slice(0, MOST_USUAL.ids);
  yield text('{body}');
  for (const time of times) {
    for (const separator of ['.', ':', '']) yield text(time, separator, '{body}');
    for (const id of names)
      for (const separator of ['.', '']) yield text(`{${id}}`, separator, time, separator, '{body}');
    for (const version of new Set([...labels, ...VERSIONS]))
      for (const separator of [':', '.']) yield text(version, separator, time, separator, '{body}');
    yield text('{body}', time);
  }
  yield text('{url}', '{body}');
}

/** Versions that some senders sign and write in no header. */
const VERSIONS = ['v0', 'v1'];
const SEPARATORS = ['.', ':', '', '\n', '|', ',', '-', '_', ' ', '/'];

/** The compositions that platforms are known to sign, the usual ones first. */
export function* knownTemplates(
  { stamps, ids, listsHeaders }: Joinable,
  labels: readonly string[],
): Generator<Template> {
  const at = (name: string): Piece => ({ place: name });
  const word = (literal: string): Piece => ({ literal });
  const body = at('body');
  yield [body];
  for (const joined of joinings()) for (const separator of SEPARATORS) yield withSeparators(joined, separator);

  function* joinings(): Generator<Template> {
    for (const stamp of stamps) yield [at(stamp), body];
    for (const id of ids) for (const stamp of stamps) yield [at(id), at(stamp), body];
    for (const version of new Set([...labels, ...VERSIONS]))
      for (const stamp of stamps) yield [word(version), at(stamp), body];
    for (const stamp of stamps) yield [body, at(stamp)];
    yield [at('url'), body];
    for (const id of ids) yield [at(id), body];
    for (const id of ids) yield [body, at(id)];
    for (const id of ids) for (const stamp of stamps) yield [at(stamp), at(id), body];
    for (const stamp of stamps) {
      yield [at('method'), at('url'), body, at(stamp)];
      yield [at('method'), at('path'), body, at(stamp)];
      yield [at(stamp), at('method'), at('path'), body];
      yield [at('method'), at('path'), at(stamp), body];
      yield [at('url'), at(stamp), body];
      yield [at(stamp), at('url'), body];
      yield [at(stamp), at('path'), body];
    }
    yield [at('method'), at('url'), body];
    yield [at('method'), at('path'), body];
    yield [at('path'), body];
    yield [body, at('url')];
    for (const id of ids) for (const stamp of stamps) yield [body, at(stamp), at(id)];
    for (const id of ids) for (const stamp of stamps) yield [body, at(id), at(stamp)];
    for (const label of labels)
      for (const id of ids) for (const stamp of stamps) yield [word(label), at(id), at(stamp), body];
    if (listsHeaders) {
      for (const stamp of stamps) yield [at(stamp), at('signed-headers'), at('signed-values'), body];
      for (const stamp of stamps) yield [at(stamp), at('signed-values'), body];
      yield [at('method'), at('path'), at('signed-lines'), body];
    }
    for (const [kind, id] of pairsOf(ids.slice(0, MOST_PAIRED))) {
      for (const stamp of stamps) yield [at(kind), at(stamp), at(id), body];
      for (const stamp of stamps) yield [at(kind), at(id), at(stamp), body];
      yield [at(kind), at(id), body];
    }
  }
}

/** Every two different ones, in either order. */
function* pairsOf(items: readonly string[]): Generator<readonly [string, string]> {
  for (const one of items) for (const other of items) if (one !== other) yield [one, other];
}

function withSeparators(pieces: Template, separator: string): Template {
  if (separator === '') return pieces;
  return pieces.flatMap((piece, index) => (index === 0 ? [piece] : [{ literal: separator }, piece]));
}

// Deliveries that list which of their headers are signed with the body: `h=x-event-id x-event-type` in the signature's header,
// or a header of its own such as `X-Contentful-Signed-Headers: x-contentful-timestamp,…`.

const SIGNED_PLACES: ReadonlySet<string> = new Set(['signed-headers', 'signed-values', 'signed-lines']);

const LONGEST_LIST = 1000;
const MOST_LISTS = 4;
/** Names with the same sign between any two of them. */
const LIST = /(?<![\w-])[a-z][\w-]*(?:([ ,;])[a-z][\w-]*(?:\1[a-z][\w-]*)*)?/gi;

/** The text at one of these places, once for each list of headers that the delivery holds; it usually holds none. */
function signedHeadersAt(place: string, delivery: Delivery): readonly string[] {
  return listsIn(delivery).map((list) => {
    const names = list.toLowerCase().split(/[ ,;]/);
    const values = names.map((name) => headerOf(delivery, name) ?? '');
    if (place === 'signed-headers') return list;
    if (place === 'signed-values') return values.join('.');
    return names.map((name, index) => `${name}:${values[index]}`).join(';');
  });
}

/** Runs of words that name headers of the delivery, as they are written, up to the first one that does not. */
function listsIn(delivery: Delivery): readonly string[] {
  const names = new Set(delivery.headers.map(([name]) => name));
  const runs = delivery.headers.flatMap(([, value]) =>
    value.length > LONGEST_LIST ? [] : [...value.matchAll(LIST)].map(([run]) => run),
  );
  const lists = runs.map((run) => {
    const [sign = ''] = /[ ,;]/.exec(run) ?? [];
    const words = run.split(sign === '' ? /$/ : sign);
    const end = words.findIndex((word) => !names.has(word.toLowerCase()));
    return words.slice(0, end < 0 ? words.length : end).join(sign);
  });
  return [...new Set(lists.filter((list) => list.includes('-')))].slice(0, MOST_LISTS);
}
