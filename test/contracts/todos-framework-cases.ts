// What APIs of to-dos whose errors name fields as frameworks do get wrong, and what they may do.
import { BY_FIELD, LOCATED } from './framework-errors.ts';
import { answered, body, hasFields, make, type TodoCase } from './todos-changes.ts';

const located = make('defect', 'lists of segments', LOCATED);
const oddLocated = make('oddity', 'lists of segments', LOCATED);
const byField = make('defect', 'members by field', BY_FIELD);
const oddByField = make('oddity', 'members by field', BY_FIELD);

const withHeader = (value: string | null) =>
  answered(
    (_asked, { status }) => status >= 400,
    ({ headers = {}, ...answer }) => {
      const { 'x-trace': _, ...others } = headers;
      return { ...answer, headers: value === null ? others : { ...others, 'x-trace': value } };
    },
  );

export const FRAMEWORK_CASES: readonly TodoCase[] = [
  located('ERR-02', 'errors lack the header of their request', withHeader(null)),
  located('ERR-06', 'requests share the id in the header', withHeader('the-same')),
  located(
    'ERR-09',
    'paths are texts and no lists',
    body((own, refusal) => (hasFields(refusal) ? { detail: [{ loc: { body: true }, msg: 'is wrong' }] } : own)),
  ),
  located(
    'ERR-09',
    'bad input gets no list',
    body((own, refusal) => (hasFields(refusal) ? { detail: [] } : own)),
  ),
  located(
    'ERR-10',
    'another member is named',
    body((own, refusal) => (hasFields(refusal) ? { detail: [{ loc: ['body', 'note'], msg: 'is wrong' }] } : own)),
  ),
  byField(
    'ERR-09',
    'no field is named',
    body((own, refusal) => (hasFields(refusal) ? { title: own.title } : own)),
  ),
  byField(
    'ERR-10',
    'another field is named',
    body((own, refusal) => (hasFields(refusal) ? { ...own, errors: { Note: ['is wrong'] } } : own)),
  ),
  oddLocated(
    'ERR-10',
    'paths stand as texts, too',
    body((own, refusal) =>
      hasFields(refusal)
        ? { detail: refusal.fields.map((way) => ({ loc: ['body', ...way].join('.'), msg: 'is wrong' })) }
        : own,
    ),
  ),
  oddByField(
    'ERR-10',
    'the parameter of the controller is named beside the field',
    body((own, refusal) =>
      hasFields(refusal) ? { ...own, errors: { ...(own.errors as object), todo: ['is required'] } } : own,
    ),
  ),
];
