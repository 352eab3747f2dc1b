// How frameworks write which members of a request offend: FastAPI by lists of the segments of their paths, ASP.NET, Laravel and Rails by
// members of the fields' names. What identifies the request stands in a header.
import type { Manner, Refusal } from './todos.ts';
import { PLAIN } from './todos.ts';

const JSON_TYPE = { 'content-type': 'application/json' } as const;

/** FastAPI: `{ detail: [{ loc, msg, type }] }`, and `{ detail: text }` where nothing is to be named. */
export const LOCATED: Manner = {
  ...PLAIN,
  contract: [
    'contract: 1',
    'name: Todos API contract',
    'errors:',
    '  members:',
    '    requestId: { header: X-Trace }',
    '    field: { at: /detail/*/loc, form: segments }',
    '    fieldMessage: /detail/*/msg',
    'authentication: { refused: { status: 401 } }',
    'requests: { unknownPath: { status: 404 }, invalid: { status: 400 } }',
  ],
  refusal: ({ status, detail, fields, id }) => ({
    status,
    headers: { ...JSON_TYPE, 'x-trace': id },
    body: { detail: fields.length === 0 ? detail : fields.map((way) => ({ loc: ['body', ...way], msg: 'is wrong' })) },
  }),
};

/** "title" as a model of C# has it. */
const asInModel = (name = ''): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

const byField = ({ fields }: Refusal) => Object.fromEntries(fields.map((way) => [asInModel(way.at(-1)), ['is wrong']]));

/** ASP.NET: `{ title, errors: { Title: [texts] } }`. */
export const BY_FIELD: Manner = {
  ...PLAIN,
  contract: [
    'contract: 1',
    'name: Todos API contract',
    'errors:',
    '  members:',
    '    title: /title',
    '    requestId: { header: X-Trace }',
    '    field: { at: /errors, form: keys }',
    'authentication: { refused: { status: 401 } }',
    'requests: { unknownPath: { status: 404 }, invalid: { status: 400 } }',
  ],
  refusal: (refusal) => ({
    status: refusal.status,
    headers: { ...JSON_TYPE, 'x-trace': refusal.id },
    body: { title: refusal.detail, ...(refusal.fields.length === 0 ? {} : { errors: byField(refusal) }) },
  }),
};
