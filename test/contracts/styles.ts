// Books in the styles that teams keep things in: what an id is called, what wraps a book, how a create answers, how one is changed and taken away.
// Each is sound; a defect is planted in the store below it, the same in every style.

export type Members = Readonly<Record<string, unknown>>;

export interface Kept {
  readonly id: string | number;
  readonly members: Members;
}

/** From the members that stood, those that were sent, and those that would stand. */
type Write = (before: Members, sent: Members, after: Members) => Members;

/** What the store does otherwise than the sound one. */
export interface Defect {
  /** The members that a create keeps; null: nothing is kept. */
  readonly creates?: (members: Members, known: readonly Kept[]) => Members | null;
  /** The members that stand after a PUT or a PATCH. */
  readonly writes?: Write;
  /** The same of a PATCH alone. */
  readonly patches?: Write;
  /** A delete does nothing. */
  readonly keepsDeleted?: boolean;
  /** Whether a list leaves out what a caller made. */
  readonly hidesNew?: boolean;
}

export type Doing = 'list' | 'create' | 'read' | 'replace' | 'change' | 'remove';

export interface Style {
  /** Method and described path of all that it can do. */
  readonly routes: Partial<Readonly<Record<Doing, readonly [string, string]>>>;
  /** The member that holds an item's id; null: its path alone does. */
  readonly idMember: string | null;
  id(count: number): string | number;
  /** A book as lists hold it, what is around one in an answer, and the members in a request. */
  item(own: Members, path: string): unknown;
  shown(item: unknown): unknown;
  taken(body: unknown): unknown;
  listed(items: readonly unknown[]): unknown;
  /** The same of schemas. */
  schemaItem(own: Record<string, unknown>, id: Record<string, unknown>): object;
  schemaShown(item: object): object;
  schemaTaken(own: object): object;
  schemaListed(item: object): object;
  /** What a create answers: the status, and where the new one stands. */
  readonly created: { readonly status: number; readonly hasBody: boolean; readonly hasLocation: boolean };
  readonly mediaTypeOfChange: string;
  readonly removed: number;
  /** What reading a removed one is answered. */
  readonly gone: number;
  /** A PUT makes what nobody has called so yet; nothing else makes any. */
  readonly isNamedByCallers: boolean;
  /** A list shows what stood so long ago. ms. */
  readonly listLagMs: number;
  /** A change has to name the version that it read. */
  readonly needsVersion: boolean;
}

export const json = 'application/json';
const objectOf = (properties: Record<string, unknown>) => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});

const PLAIN: Style = {
  routes: {
    list: ['GET', '/books'],
    create: ['POST', '/books'],
    read: ['GET', '/books/{bookId}'],
    replace: ['PUT', '/books/{bookId}'],
    change: ['PATCH', '/books/{bookId}'],
    remove: ['DELETE', '/books/{bookId}'],
  },
  idMember: 'id',
  id: (count) => count,
  item: (own) => own,
  shown: (item) => item,
  taken: (body) => body,
  listed: (items) => items,
  schemaItem: (own, id) => objectOf({ ...id, ...own }),
  schemaShown: (item) => item,
  schemaTaken: (own) => own,
  schemaListed: (items) => ({ type: 'array', items }),
  created: { status: 201, hasBody: true, hasLocation: false },
  mediaTypeOfChange: json,
  removed: 204,
  gone: 404,
  isNamedByCallers: false,
  listLagMs: 0,
  needsVersion: false,
};

/** Each path of a style, changed. */
function paths(change: (path: string) => string, { routes }: Style = PLAIN): Style['routes'] {
  const changed = Object.entries(routes).map(([doing, [method, path]]) => [doing, [method, change(path)]]);
  return Object.fromEntries(changed) as Style['routes'];
}

function without(one: Doing): Style['routes'] {
  return Object.fromEntries(Object.entries(PLAIN.routes).filter(([doing]) => doing !== one));
}

function wrappedIn(name: string, many: string): Partial<Style> {
  return {
    shown: (item) => ({ [name]: item }),
    taken: (body) => memberOf(body, name),
    listed: (items) => ({ [many]: items }),
    schemaShown: (item) => objectOf({ [name]: item }),
    schemaTaken: (own) => objectOf({ [name]: own }),
    schemaListed: (items) => objectOf({ [many]: { type: 'array', items } }),
  };
}

const hexId = (count: number): string => `65f0c0ffee00000000${(count * 7919).toString(16).padStart(6, '0')}`;

export const STYLES = {
  'plain objects in an array': PLAIN,
  'paths that end with a slash': {
    ...PLAIN,
    routes: paths((path) => `/api${path}/`),
    listed: (items) => ({ count: items.length, next: null, previous: null, results: items }),
    schemaListed: (items) => objectOf({ count: { type: 'integer' }, results: { type: 'array', items } }),
  },
  'wrapped in data': { ...PLAIN, ...wrappedIn('data', 'data') },
  'wrapped in its own name': { ...PLAIN, ...wrappedIn('book', 'books') },
  'ids of Mongo': {
    ...PLAIN,
    routes: paths((path) => path.replace('{bookId}', '{id}')),
    idMember: '_id',
    id: hexId,
  },
  'created by Location alone': { ...PLAIN, created: { status: 201, hasBody: false, hasLocation: true } },
  'accepted, and to be read at a Location': { ...PLAIN, created: { status: 202, hasBody: false, hasLocation: true } },
  'changed by merge patch alone': {
    ...PLAIN,
    routes: without('replace'),
    mediaTypeOfChange: 'application/merge-patch+json',
  },
  'replaced by PUT alone': { ...PLAIN, routes: without('change'), removed: 200 },
  'changed where the version is named': { ...PLAIN, needsVersion: true },
  'ids in brackets': {
    ...PLAIN,
    routes: paths((path) => path.replace('/books/{bookId}', '/Books({key})').replace('/books', '/Books')),
    idMember: 'Id',
    listed: (items) => ({ '@odata.context': '$metadata#Books', value: items }),
    schemaListed: (items) => objectOf({ value: { type: 'array', items } }),
  },
  'links in place of ids': {
    ...PLAIN,
    idMember: null,
    item: (own, path) => ({ ...own, _links: { self: { href: path } } }),
    listed: (items) => ({ _embedded: { books: items } }),
    schemaListed: (items) => objectOf({ _embedded: objectOf({ books: { type: 'array', items } }) }),
  },
  'resources of JSON:API': {
    ...PLAIN,
    ...wrappedIn('data', 'data'),
    id: (count) => `b${count}`,
    item: ({ id, ...attributes }) => ({ type: 'books', id, attributes }),
    taken: (sent) => memberOf(memberOf(sent, 'data'), 'attributes', { type: 'books' }),
    schemaItem: (own, id) => objectOf({ type: { type: 'string', const: 'books' }, ...id, attributes: objectOf(own) }),
    schemaTaken: (own) => objectOf({ data: objectOf({ type: { type: 'string', const: 'books' }, attributes: own }) }),
  },
  'lists that show nothing at once': { ...PLAIN, listLagMs: 3000, gone: 410 },
  'named by their callers': {
    ...PLAIN,
    ...{ routes: without('create'), idMember: 'name', id: (count) => `book-${count}`, isNamedByCallers: true },
  },
  'a parent above': { ...PLAIN, routes: paths((path) => `/shelves/{shelfId}${path}`) },
} satisfies Record<string, Style>;

export const SHELF = 's7';
export const OWN = {
  title: { type: 'string', minLength: 1, maxLength: 80 },
  pages: { type: 'integer', minimum: 1, maximum: 5000 },
  genre: { type: 'string', enum: ['novel', 'essay', 'poem'] },
};
/** The members that a new book has where none are sent. */
export const USUAL: Members = { pages: 1, genre: 'novel' };

const body = (schema: unknown, type = json) => ({ content: { [type]: { schema } } });
const shown = (schema: unknown) => ({ description: 'As told', ...body(schema) });

export function descriptionOf(style: Style): unknown {
  const described: Record<string, Record<string, unknown>> = {};
  const told = operationsOf(style);
  for (const [doing, [method, path]] of Object.entries(style.routes) as [Doing, readonly [string, string]][])
    described[path] = {
      ...described[path],
      [method.toLowerCase()]: { parameters: parametersOf(style, doing, path), ...told[doing] },
    };
  if (style.routes.list?.[1].startsWith('/shelves'))
    described['/shelves'] = {
      get: { responses: { 200: shown({ type: 'array', items: objectOf({ id: { type: 'string' } }) }) } },
    };
  return { openapi: '3.1.0', info: { title: 'Books', version: '1.0.0' }, paths: described };
}

/** Schema of an item's id. */
function idOf(style: Style) {
  return { type: typeof style.id(1) === 'number' ? 'integer' : 'string' };
}

function parametersOf(style: Style, doing: Doing, path: string): readonly object[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const inPath = names.map((name) => ({
    ...{ name, in: 'path', required: true },
    schema: name === 'shelfId' ? { type: 'string' } : idOf(style),
  }));
  const isVersioned = style.needsVersion && ['replace', 'change', 'remove'].includes(doing);
  return [
    ...inPath,
    ...(isVersioned ? [{ name: 'If-Match', in: 'header', required: true, schema: { type: 'string' } }] : []),
  ];
}

function operationsOf(style: Style): Record<Doing, object> {
  const { idMember, created, removed, mediaTypeOfChange } = style;
  const own = { type: 'object', properties: OWN, additionalProperties: false };
  const item = style.schemaItem(OWN, idMember === null ? {} : { [idMember]: idOf(style) });
  const sent = (schema: object, type?: string) => ({ required: true, ...body(style.schemaTaken(schema), type) });
  const answering = (status: number, answer: object) => ({
    responses: { [status]: answer, '4XX': { description: 'Refused' } },
  });
  const one = shown(style.schemaShown(item));
  const whole = sent({ ...own, required: ['title'] });
  const made = style.isNamedByCallers ? { 201: one } : {};
  return {
    list: answering(200, shown(style.schemaListed(item))),
    create: {
      requestBody: whole,
      ...answering(created.status, created.hasBody ? one : { description: 'Made' }),
    },
    read: answering(200, one),
    replace: { requestBody: whole, responses: { ...answering(200, one).responses, ...made } },
    change: { requestBody: sent(own, mediaTypeOfChange), ...answering(200, one) },
    remove: answering(removed, removed === 200 ? shown({ type: 'object' }) : { description: 'Gone' }),
  };
}

/** The member that the object has, beside what it has to have; undefined where it has others. */
function memberOf(value: unknown, name: string, beside: Members = {}): unknown {
  const isSound = isRecord(value) && Object.keys({ ...beside, [name]: null }).length === Object.keys(value).length;
  return isSound && Object.entries(beside).every(([other, due]) => value[other] === due) ? value[name] : undefined;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
