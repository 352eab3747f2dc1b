// What APIs of to-dos with JSON:API documents, or with an envelope of their own, do wrong, and what they may do.
import { JSON_API, KEBAB } from './todos.ts';
import {
  answered,
  body,
  hasFields,
  inErrors,
  inFault,
  isTodo,
  type Members,
  make,
  members,
  of,
  type TodoCase,
  withType,
} from './todos-changes.ts';

const document = make('defect', 'JSON:API', JSON_API);
const oddDocument = make('oddity', 'JSON:API', JSON_API);
const fault = make('defect', 'an envelope of its own', KEBAB);
const oddFault = make('oddity', 'an envelope of its own', KEBAB);

export const OTHER_CASES: readonly TodoCase[] = [
  document(
    'ERR-01',
    'an error is a list',
    body(({ errors }) => errors),
  ),
  document(
    'ERR-02',
    'errors have no status',
    inErrors(() => ({ status: undefined })),
  ),
  document(
    'ERR-03',
    'codes are in capitals',
    inErrors(({ code }) => ({ code: code.toUpperCase() })),
  ),
  document(
    'ERR-04',
    'the status of a 404 is 400',
    of(
      404,
      inErrors(() => ({ status: '400' })),
    ),
  ),
  document(
    'ERR-10',
    'another attribute is named',
    inErrors((refusal, error) =>
      error.source === undefined
        ? {}
        : {
            source: {
              pointer: refusal.fields.some((way) => way.at(-1) === 'title')
                ? '/data/attributes/priority'
                : '/data/attributes/title',
            },
          },
    ),
  ),
  document(
    'ERR-09',
    'attributes are named without a slash',
    inErrors((refusal, error) =>
      error.source === undefined ? {} : { source: { pointer: String(refusal.fields[0]?.at(-1)) } },
    ),
  ),
  document(
    'ERR-13',
    'a refused body succeeds with errors',
    answered(
      ({ method }, { status }) => method === 'POST' && status === 400,
      (answer) => ({ ...answer, status: 201 }),
    ),
  ),
  document(
    'ERR-14',
    'the status is a number',
    inErrors(({ status }) => ({ status })),
  ),
  document(
    'ERR-14',
    'data stand beside errors',
    members(() => ({ data: null })),
  ),
  document('ERR-14', 'an error is plain JSON', { error: withType('application/json') }),
  oddDocument(
    'ERR-01',
    'links, meta and the version stand beside errors',
    members(() => ({ jsonapi: { version: '1.1' }, meta: {}, links: { about: null } })),
  ),
  oddDocument(
    'ERR-04',
    'several errors have statuses of their own',
    body((own, { status, id }) =>
      status === 400
        ? { errors: [...(own.errors as Members[]), { status: '403', code: 'read-only', id: `${id}-b` }] }
        : own,
    ),
    JSON_API.contract,
  ),
  oddDocument(
    'ERR-10',
    'what lacks is told of the object that it lacks in',
    inErrors((refusal, error) =>
      error.source === undefined || refusal.asked.body.includes(`"${refusal.fields[0]?.at(-1)}"`)
        ? {}
        : { source: { pointer: '/data/attributes' } },
    ),
  ),
  oddDocument(
    'ERR-09',
    'a parameter is named, and no member',
    inErrors((_refusal, error) => (error.source === undefined ? {} : { source: { parameter: 'filter' } })),
  ),

  fault(
    'ERR-01',
    'an error stands without its envelope',
    of(
      404,
      body((own) => own.fault),
    ),
  ),
  fault(
    'ERR-01',
    'something stands beside the envelope',
    members(() => ({ ok: false })),
  ),
  fault(
    'ERR-02',
    'an error has no message',
    of(
      405,
      inFault(() => ({ message: undefined })),
    ),
  ),
  fault(
    'ERR-03',
    'codes are in snake_case',
    inFault(({ code }) => ({ code: code.replaceAll('-', '_') })),
  ),
  fault(
    'ERR-05',
    'the help is that of another code',
    of(
      404,
      inFault(() => ({ help: 'https://help.example.com/other' })),
    ),
  ),
  fault(
    'ERR-06',
    'errors of one path share their id',
    inFault(({ asked }) => ({ requestId: asked.path })),
  ),
  fault(
    'ERR-10',
    'another member is named',
    inFault((refusal) =>
      hasFields(refusal)
        ? { fields: [{ name: refusal.fields.some(([name]) => name === 'title') ? 'priority' : 'title' }] }
        : {},
    ),
  ),
  fault(
    'ERR-13',
    'a refused body succeeds with a fault',
    answered(
      ({ method }, { status }) => method === 'POST' && status === 400,
      (answer) => ({ ...answer, status: 201 }),
    ),
  ),
  oddFault(
    'ERR-02',
    'a fault has further members',
    inFault(() => ({ severity: 'low', retryable: false })),
  ),
  oddFault('ERR-13', 'a to-do tells of a fault of its own', {
    answer: (answer) =>
      isTodo(answer)
        ? { ...answer, body: { ...(answer.body as Members), fault: { code: 'late', message: 'It is late.' } } }
        : answer,
  }),
  oddFault(
    'ERR-10',
    'members are named behind the body',
    inFault((refusal) =>
      hasFields(refusal) ? { fields: refusal.fields.map((way) => ({ name: `body.${way.join('.')}` })) } : {},
    ),
  ),
];
