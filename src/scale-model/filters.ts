// Query parameters of lists and reads. No cursor and no order among them: the platform declares none (SPEC-06).
import type { JsonObject } from '../platform/json.ts';
import type { Components } from './components.ts';
import { fieldSchema } from './fields.ts';

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
export function filtersOf(path: string, components: Components): readonly JsonObject[] {
  const { draw } = components;
  const names = draw.shuffled(Object.keys(FILTERS), `filters of ${path}`);
  return names
    .slice(0, draw.between(0, 4, `number of filters of ${path}`))
    .map((name) => ({ name, in: 'query', required: false, ...FILTERS[name]?.(components) }));
}

/** What a read may be asked to include, where it can be. */
export function includesOf(path: string, components: Components): readonly JsonObject[] {
  if (!components.draw.happens(30, `includes of ${path}`)) return [];
  const values = components.draw
    .shuffled(['audit', 'translations', 'metadata', 'related', 'history'], path)
    .slice(0, 3);
  const schema = { type: 'array', items: { type: 'string', enum: values }, uniqueItems: true };
  return [{ name: 'include', in: 'query', required: false, style: 'form', explode: false, schema }];
}
