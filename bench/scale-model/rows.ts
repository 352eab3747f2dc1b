// Operations that are written out one by one, a line each.
import type { JsonObject } from '../../src/platform/json.ts';
import type { Components } from './components.ts';
import { pascal } from './names.ts';
import type { Kind, Planned } from './planned.ts';
import { record } from './record.ts';
import { underPrefix } from './service.ts';

/**
 * Method and path below /api/v1, summary, members of the request ("" for no body), the answer: members, "Name: members"
 * for a record of that name, "Name" where it is described elsewhere, "Name[]" for a list of them, "" for the result of an
 * action.
 */
export type Row = readonly [key: string, summary: string, request: string, answer: string, more?: Partial<Planned>];

/** The operations of a resource's lines. */
export function operationsOf(tag: string, rows: readonly Row[], components: Components): readonly Planned[] {
  return rows.map(([key, summary, request, answer, more]) => {
    const [method = '', path = ''] = key.split(' ');
    const name = pascal(`${method === 'get' ? 'read' : method} ${path.replaceAll(/[{}]/g, '')}`);
    return {
      tag,
      method: method as Planned['method'],
      path: path.startsWith('/api/') ? path : underPrefix(path),
      operationId: `${pascal(tag)}Controller_${name.replace(/^./, (letter) => letter.toLowerCase())}`,
      summary,
      kind: kindOf(method, answer),
      answer: answerOf(answer, name, components),
      ...(request === '' ? {} : { body: components.reference(`${name}Dto`, () => record(request, components)) }),
      ...more,
    };
  });
}

function kindOf(method: string, answer: string): Kind {
  if (method === 'get') return answer.includes('[]') ? 'list' : 'read';
  const kinds: Readonly<Record<string, Kind>> = { post: 'action', delete: 'delete' };
  return kinds[method] ?? 'change';
}

function answerOf(notation: string, operation: string, components: Components): JsonObject | null {
  if (notation === '') return components.shared('ActionResultDto');
  const named = /^([A-Z]\w*)(\[\])?(?:: (.+))?$/.exec(notation);
  if (named === null) return components.reference(`${operation}ResponseDto`, () => record(notation, components));
  const [, name = '', list, members] = named;
  const one =
    members === undefined
      ? components.mention(`${name}Dto`)
      : components.reference(`${name}Dto`, () => record(members, components));
  return list === undefined ? one : { type: 'array', items: one };
}
