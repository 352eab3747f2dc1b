// The scenarios that a client meets, by task. Each is one run of its command, and differs from the others in nothing that the
// command can see but the answers.
//
//   CLIENT-01  400, 404 and 409                       CLIENT-06  a create and a payment that are not answered well at once
//   CLIENT-02  401 and 403                            CLIENT-07  302
//   CLIENT-03  429 and 503 that say how long to wait  CLIENT-08  errors that no catalogue has, beside ones that it has
//   CLIENT-04  429 and 503 that do not                CLIENT-09  all
//   CLIENT-05  500 and 502                            CLIENT-10  walks         CLIENT-11  all
import type { ClientTask, Scenario, StatedWait, Trouble } from '../../contract/client.ts';

const SECONDS: StatedWait = { form: 'seconds', seconds: 2 };
const SHORT: StatedWait = { form: 'seconds', seconds: 1 };
const DATE: StatedWait = { form: 'date', seconds: 3 };

/**
 * The troubles of scenarios, under the part of their ids that names them. A wait that is stated is longer than the one
 * that a client takes by itself.
 */
const TROUBLES: Readonly<Record<string, readonly [title: string, trouble: Trouble | null]>> = {
  plain: ['no trouble', null],
  '400': ['400', always(400)],
  '401': ['401', always(401)],
  '403': ['403', always(403)],
  '404': ['404', always(404)],
  '409': ['409', always(409)],
  '302': ['302', always(302)],
  '500': ['500', always(500)],
  '502': ['502', always(502)],
  '429-seconds': ['429 with Retry-After in seconds', { status: 429, wait: SECONDS, times: 1 }],
  '429-date': ['429 with Retry-After as a date', { status: 429, wait: DATE, times: 1 }],
  '429-always': ['429 with Retry-After, again and again', { status: 429, wait: SHORT, times: null }],
  '429-bare': ['429 without Retry-After', always(429)],
  '503-seconds': ['503 with Retry-After in seconds', { status: 503, wait: SECONDS, times: 1 }],
  '503-date': ['503 with Retry-After as a date', { status: 503, wait: DATE, times: 1 }],
  '503-bare': ['503 without Retry-After', always(503)],
  lost: ['a connection that is closed without an answer', { status: null, wait: null, times: 1 }],
  '400-unknown': ['400 with an unknown type and code', { ...always(400), isUnknown: true }],
  '404-unknown': ['404 with an unknown type and code', { ...always(404), isUnknown: true }],
  '429-unknown': ['429 with an unknown type and code', { status: 429, wait: SECONDS, times: 1, isUnknown: true }],
};

function always(status: number): Trouble {
  return { status, wait: null, times: null };
}

/** A client may treat what changes something in another way; a key has to stay the same from the first attempt to the last. */
const CHANGING = [
  ...(['503-bare', '429-seconds', '503-seconds', '500', 'lost'] as const),
  ...(['400', '404', '409', '401', '403', '302'] as const),
];
const NAMES: Readonly<Record<ClientTask, readonly string[]>> = {
  'read-store': [
    ...['429-bare', '503-bare', '429-always', '429-date', '503-date', '429-seconds', '503-seconds', '429-unknown'],
    ...['500', '502', '400', '404', '401', '403', '302', '400-unknown', '404-unknown'],
  ],
  'walk-logs': ['429-seconds'],
  'walk-notifications': ['503-seconds'],
  'create-store': CHANGING,
  pay: CHANGING,
};

const TASKS = Object.keys(NAMES) as readonly ClientTask[];

/** For each task the one in which nothing goes wrong: it shows whether the command knows the task at all. */
export const FIRST_SCENARIOS: readonly Scenario[] = TASKS.map((task) => scenarioOf(task, 'plain'));

/** All others, those that take longest first. */
export const FURTHER_SCENARIOS: readonly Scenario[] = TASKS.flatMap((task) =>
  NAMES[task].map((name) => scenarioOf(task, name)),
);

function scenarioOf(task: ClientTask, name: string): Scenario {
  const [title, trouble] = TROUBLES[name] ?? ['no trouble', null];
  return { id: `${task} ${name}`, task, title, trouble };
}

/** The scenarios that the clauses need; no clauses: all. */
export function scenariosFor(clauses: readonly string[]): {
  readonly first: readonly Scenario[];
  readonly further: readonly Scenario[];
} {
  if (clauses.length === 0) return { first: FIRST_SCENARIOS, further: FURTHER_SCENARIOS };
  const further = FURTHER_SCENARIOS.filter((scenario) => clauses.some((clause) => NEEDS[clause]?.(scenario) === true));
  const first = FIRST_SCENARIOS.filter(({ task }) => further.some((one) => one.task === task));
  return { first, further };
}

type Need = (scenario: Scenario) => boolean;

function meets(...names: readonly string[]): Need {
  return ({ id }) => names.includes(id.split(' ')[1] ?? '');
}

const REFUSED = meets('400', '404', '409');
const NEEDS: Readonly<Record<string, Need>> = {
  'CLIENT-01': REFUSED,
  'CLIENT-02': meets('401', '403'),
  'CLIENT-03': ({ trouble }) => trouble?.status === 429 || trouble?.status === 503,
  'CLIENT-04': meets('429-bare', '503-bare'),
  'CLIENT-05': meets('500', '502'),
  'CLIENT-06': ({ task, id }) =>
    (task === 'create-store' || task === 'pay') &&
    meets('503-bare', '429-seconds', '503-seconds', '500', 'lost')({ id } as Scenario),
  'CLIENT-07': meets('302'),
  'CLIENT-08': meets('400-unknown', '404-unknown', '429-unknown', '400', '404', '429-seconds'),
  'CLIENT-09': REFUSED,
  'CLIENT-10': ({ task }) => task.startsWith('walk-'),
  'CLIENT-11': meets('400', '404', '409', '401', '403', '500'),
};
