// The operations of one resource, in the order in which a service grows: list and read, create, change and delete, then
// parts below it, actions, figures, work in bulk.
import type { JsonObject } from '../../src/platform/json.ts';
import type { Components } from './components.ts';
import { fieldSchema } from './fields.ts';
import { kebab, parameterOf, pascal, plain, singular } from './names.ts';
import type { Kind, Planned } from './planned.ts';
import { type Records, record, recordsOf } from './record.ts';
import { PART_MEMBERS, THEMES, type ThemeName } from './themes.ts';

export interface Resource {
  readonly tag: string;
  /** Path of the collection. */
  readonly path: string;
  readonly theme: ThemeName;
}

type Part = Omit<Planned, 'tag' | 'operationId'> & { readonly verb: string };

/** More operations than any resource of the scale model has, the first ones first. */
export function* operationsOf(resource: Resource, components: Components): Generator<Planned> {
  const controller = `${pascal(resource.tag)}Controller`;
  const named = ({ verb, ...part }: Part): Planned => ({
    ...part,
    tag: resource.tag,
    operationId: `${controller}_${verb}`,
  });
  const collection = resource.path.split('/').at(-1) ?? kebab(resource.tag);
  const item = `${resource.path}/{${parameterOf(collection)}}`;
  const records = recordsOf(
    {
      name: pascal(singular(resource.tag)),
      noun: parameterOf(collection).slice(0, -2),
      members: THEMES[resource.theme].members,
      fewest: 7,
      most: 15,
      groups: components.draw.between(1, 3, `number of groups of ${resource.tag}`),
    },
    components,
  );
  const own = { path: resource.path, item, things: resource.tag, suffix: '' };
  for (const part of basics(own, records, components)) yield named(part);
  const { draw } = components;
  const extras = draw.shuffled(extrasOf(resource, item, records, components), `extras of ${resource.tag}`);
  for (const extra of extras) for (const part of extra()) yield named(part);
}

interface Place {
  readonly path: string;
  readonly item: string;
  /** In plain words, of many. */
  readonly things: string;
  /** Tells the operations of a part from those of the resource. */
  readonly suffix: string;
}

/** List, read, create, change, delete. */
function basics({ path, item, things, suffix }: Place, records: Records, components: Components): readonly Part[] {
  const one = singular(plain(things));
  const part = (kind: Kind, method: Part['method'], at: string, verb: string, more: Partial<Part>): Part => {
    const summary = `${verb.charAt(0).toUpperCase()}${plain(verb).slice(1)} ${kind === 'list' ? plain(things) : one}`;
    return { kind, method, path: at, verb: `${verb}${suffix}`, summary, answer: records.whole, ...more };
  };
  const filters = filtersOf(path, components);
  return [
    part('list', 'get', path, 'findAll', { answer: listOf(path, records, components), parameters: filters }),
    part('read', 'get', item, 'findOne', { parameters: includesOf(path, components) }),
    part('create', 'post', path, 'create', { body: records.creation }),
    part('change', 'patch', item, 'update', { body: records.change }),
    part('delete', 'delete', item, 'remove', { answer: components.shared('ActionResultDto') }),
  ];
}

/** An array, or one of two envelopes. */
function listOf(path: string, records: Records, { draw }: Components): JsonObject {
  const items = draw.happens(60, `${path} lists summaries`) ? records.summary : records.whole;
  const list: JsonObject = { type: 'array', items };
  const shape = draw.between(0, 2, `shape of ${path}`);
  if (shape === 0) return list;
  const member = shape === 1 ? 'data' : 'items';
  const count = { type: 'integer', minimum: 0 };
  return { type: 'object', required: [member, 'total'], properties: { [member]: list, total: count } };
}

function extrasOf(
  resource: Resource,
  item: string,
  records: Records,
  components: Components,
): (() => readonly Part[])[] {
  const { parts, verbs, reports } = THEMES[resource.theme];
  return [
    ...parts.split(' ').map((part) => () => partOperations(resource, item, part, components)),
    ...verbs.split(' ').map((verb) => () => [action(resource, item, verb, records, components)]),
    ...reports.split(' ').map((report) => () => [reportOn(resource, report, components)]),
    () => [replacing(resource, item, records)],
    () => [inBulk(resource, records, components)],
    () => settings(resource, item, components),
  ];
}

/** A collection below one resource, itself with a record of its own. */
function partOperations(resource: Resource, item: string, part: string, components: Components): readonly Part[] {
  const path = `${item}/${part}`;
  const records = recordsOf(
    {
      name: `${pascal(singular(resource.tag))}${pascal(singular(part))}`,
      noun: parameterOf(part).slice(0, -2),
      members: PART_MEMBERS,
      fewest: 3,
      most: 7,
      groups: components.draw.between(0, 1, `groups of ${path}`),
    },
    components,
  );
  const things = `${singular(resource.tag)} ${plain(part)}`;
  const place = { path, item: `${path}/{${parameterOf(part)}}`, things, suffix: pascal(part) };
  return basics(place, records, components);
}

const ACTION_MEMBERS = [
  'reason! notify',
  'note',
  'reason note assignee',
  'startsAt! notify recipients',
  'condition! note',
];

function action({ tag }: Resource, item: string, verb: string, records: Records, components: Components): Part {
  const { draw } = components;
  const members = draw.pick(ACTION_MEMBERS, `members of ${item} ${verb}`);
  const summary = `${verb.charAt(0).toUpperCase()}${plain(verb).slice(1)} it`;
  const name = `${pascal(verb)}${pascal(singular(tag))}Dto`;
  return {
    kind: 'action',
    method: 'post',
    path: `${item}/${verb}`,
    verb: pascal(verb).replace(/^./, (letter) => letter.toLowerCase()),
    summary,
    body: components.reference(name, () => record(members, components)),
    answer: draw.happens(70, `${item} ${verb} answers it`) ? records.whole : components.shared('ActionResultDto'),
  };
}

function replacing({ tag }: Resource, item: string, { replacement, whole }: Records): Part {
  const summary = `Replace ${singular(plain(tag))}`;
  return { kind: 'change', method: 'put', path: item, verb: 'replace', summary, body: replacement, answer: whole };
}

function reportOn({ tag, path }: Resource, report: string, components: Components): Part {
  const name = `${pascal(tag)}${pascal(report)}Dto`;
  const describe = () => ({
    ...record('period! total quantity! percentage', components),
    description: `Figures over ${plain(tag)}.`,
  });
  const summary = `${pascal(report)} of ${plain(tag)}`;
  const answer = components.reference(name, describe);
  return { kind: 'report', method: 'get', path: `${path}/${report}`, verb: report, summary, answer };
}

function inBulk({ tag, path }: Resource, records: Records, components: Components): Part {
  const items = { type: 'array', items: records.creation, minItems: 1, maxItems: 100 };
  const body = components.reference(`Bulk${pascal(tag)}Dto`, () => ({
    type: 'object',
    required: ['entries'],
    properties: { entries: items, notify: { type: 'boolean', default: false } },
  }));
  const answer = components.shared('ActionResultDto');
  return {
    kind: 'action',
    method: 'post',
    path: `${path}/bulk`,
    verb: 'createMany',
    summary: `Create many ${plain(tag)}`,
    body,
    answer,
  };
}

function settings({ tag }: Resource, item: string, components: Components): readonly Part[] {
  const schema = components.reference(`${pascal(singular(tag))}SettingsDto`, () =>
    record('isActive! locale priority notify schedule condition recipients', components),
  );
  const path = `${item}/settings`;
  const summary = `settings of one of the ${plain(tag)}`;
  return [
    { kind: 'read', method: 'get', path, verb: 'findSettings', summary: `Read ${summary}`, answer: schema },
    {
      kind: 'change',
      method: 'put',
      path,
      verb: 'replaceSettings',
      summary: `Replace ${summary}`,
      body: schema,
      answer: schema,
    },
  ];
}

/** Query parameters of lists. No cursor and no order among them: the platform declares none (SPEC-06). */
const FILTERS: Readonly<Record<string, (components: Components) => JsonObject>> = {
  search: () => ({ schema: { type: 'string', maxLength: 200 }, description: 'Words that must occur.' }),
  status: (components) => ({ schema: fieldSchema('status', components) }),
  channel: (components) => ({ schema: fieldSchema('channel', components) }),
  isActive: () => ({ schema: { type: 'boolean' }, description: 'Only those that take effect, or only the others.' }),
  createdFrom: () => ({ schema: { type: 'string', format: 'date-time' }, description: 'Made then or later.' }),
  createdTo: () => ({ schema: { type: 'string', format: 'date-time' }, description: 'Made before then.' }),
  locale: (components) => ({ schema: fieldSchema('locale', components) }),
  minimumScore: () => ({ schema: { type: 'number', minimum: 0, maximum: 1 }, description: 'At least this relevant.' }),
  tags: () => ({
    schema: { type: 'array', items: { type: 'string', maxLength: 40 }, maxItems: 20 },
    explode: true,
    description: 'Any of these words.',
  }),
  currencies: (components) => ({
    schema: { type: 'array', items: fieldSchema('currency', components), maxItems: 5 },
    style: 'form',
    explode: false,
    description: 'Any of these currencies.',
  }),
};

/** Up to four filters of the list at the path. */
function filtersOf(path: string, components: Components): readonly JsonObject[] {
  const { draw } = components;
  const names = draw.shuffled(Object.keys(FILTERS), `filters of ${path}`);
  return names
    .slice(0, draw.between(0, 4, `number of filters of ${path}`))
    .map((name) => ({ name, in: 'query', required: false, ...FILTERS[name]?.(components) }));
}

/** What a read may be asked to include, where it can be. */
function includesOf(path: string, components: Components): readonly JsonObject[] {
  if (!components.draw.happens(30, `includes of ${path}`)) return [];
  const values = components.draw
    .shuffled(['audit', 'translations', 'metadata', 'related', 'history'], path)
    .slice(0, 3);
  const schema = { type: 'array', items: { type: 'string', enum: values }, uniqueItems: true };
  return [{ name: 'include', in: 'query', required: false, style: 'form', explode: false, schema }];
}
