// Verdicts that were wrong, each found by simulation and shown again at the seed that showed it.
import { describe, expect, it } from 'vitest';
import { dueToday, oneDue } from '../../test/programme.ts';
import { documentOf } from '../platform/schema/served.ts';
import { CASES, type Case, clausesOfFamily, judgeCase, judgeCaseBy, smallModel } from './cases.ts';
import { simulate } from './simulate.ts';
import { WORLDS, type WorldName } from './worlds.ts';

function caseOf(id: string): Case {
  const found = CASES.find((one) => one.id === id);
  if (found === undefined) throw new Error(`there is no case ${id}`);
  return found;
}

/** A paged list is what a fault takes last: it shows on the list, and not on an operation without pages. */
const LIST_LAST = ['/api/v1/stores', '/api/v1/stores/{storeId}', '/api/health/live', '/api/v1/auth/activity/logs'];

async function listLast() {
  return (await smallModel()).map(({ service, root }) => {
    const paths = new Map<string, unknown>(Object.entries(Object(root.paths)));
    return documentOf(service, {
      ...root,
      paths: Object.fromEntries(LIST_LAST.map((path) => [path, paths.get(path)])),
    });
  });
}

describe('is blamed for nothing but its clause', () => {
  it.each(
    oneDue<readonly [id: string, story: string]>([
      ['sch-03-empty-body', 'PAG-01 was blamed for a page without a body, which SCH-03 tells'],
      ['sch-07-430', 'PAG-03 and PAG-06 were blamed for a status that says nothing about pages'],
    ]),
  )('%s on a paged list: %s', async (id) => {
    const documents = await listLast();
    const { missed, falseAlarms } = await judgeCaseBy(caseOf(id), {}, ({ deviations }, options) =>
      simulate({ documents, deviations, world: WORLDS.calm, seed: 1, options }),
    );
    expect({ missed, falseAlarms }).toEqual({ missed: false, falseAlarms: [] });
  });
});

describe('is judged rightly', () => {
  it.each(
    dueToday<readonly [id: string, world: WorldName, seed: number, story: string]>([
      [
        'spec-05-internal-path',
        'resetting',
        3,
        'REQ-09 blamed two operations for connections that were lost everywhere',
      ],
      ['spec-05-internal-path', 'resetting', 7, 'REQ-09 blamed a list for connections that were lost everywhere'],
      ['rate-10-smaller', 'calm', 2, 'RATE-10 was not judged where a call was admitted while another was refused'],
      ['idem-02-lost', 'calm', 1, 'IDEM-06 blamed the header where every third object was not kept'],
      ['rate-04-calls-left', 'distant', 1, 'RATE-04 was passed where the window ended soon after the refusal'],
      ['sch-03-empty-body', 'rough', 1, 'RATE-07 took a window that ended for a key that rested'],
    ]),
  )('%s in the world "%s" at seed %i: %s', async (id, world, seed) => {
    const { missed, falseAlarms } = await judgeCase(caseOf(id), { world: WORLDS[world], seed, whole: true });
    expect({ missed, falseAlarms }).toEqual({ missed: false, falseAlarms: [] });
  });
});

describe('is judged rightly by the clauses of its family', () => {
  it.each(
    dueToday<readonly [id: string, world: WorldName, seed: number, story: string]>([
      [
        'idem-05-after-a-second',
        'calm',
        601,
        'IDEM-05 was passed: a payment was seen twice, then no more could be made',
      ],
      ['rate-08-growth-below', 'others-10', 7, 'RATE-07 took chance in what others spend for the spender'],
      ['rate-07-shared', 'others-10', 2, 'RATE-07 looked once only where others use the key, too'],
      ['rate-04-sliding-counter', 'others-50', 503, 'RATE-07 blamed one look where no rounds could be made after it'],
      ['rate-02-lists-cost-five', 'others-50', 2, 'RATE-06 blamed a wait although others had taken what came back'],
      [
        'rate-02-lists-cost-five',
        'others-50',
        512,
        'RATE-03 blamed a reset although others had taken at once what own calls had left',
      ],
      [
        'rate-02-lists-cost-five',
        'others-1',
        504,
        'RATE-07 took four dear calls of others, who then rested, for the spender',
      ],
      [
        'rate-03-costs',
        'others-1',
        901,
        'RATE-07 took single dear calls of others, four times in a row, for the spender',
      ],
      [
        'rate-04-sliding-counter',
        'rough',
        910,
        'RATE-03 blamed an operation where others had spent what came back in the pause',
      ],
      [
        'rate-04-sliding-log',
        'distant',
        1,
        'RATE-03 blamed an operation where the calls that left a log were as many as its own',
      ],
      ['rate-03-jumps', 'rough', 504, 'RATE-07 looked once at a key that others use'],
      ['rate-02-above', 'others-50', 501, 'RATE-07 looked once where the key states impossible numbers now and then'],
      ['rate-03-no-return', 'uneven', 1, 'RATE-03 took a slow answer for calls that were left before the refusals'],
      ['rate-06-too-short', 'uneven', 101, 'RATE-06 was passed where the window ended soon after the refusal'],
    ]),
  )('%s in the world "%s" at seed %i: %s', async (id, world, seed) => {
    const clauses = clausesOfFamily(caseOf(id));
    const { missed, falseAlarms } = await judgeCase(caseOf(id), { world: WORLDS[world], seed, clauses });
    expect({ missed, falseAlarms }).toEqual({ missed: false, falseAlarms: [] });
  });

  it.each(
    dueToday<readonly [id: string, world: WorldName, seed: number, clause: string]>([
      ['rate-07-shared', 'rough', 2, 'RATE-07'],
      ['rate-07-shared', 'rough', 60, 'RATE-07'],
      ['rate-07-shared', 'rough', 61, 'RATE-07'],
      ['rate-07-pair', 'rough', 60, 'RATE-07'],
      ['rate-10-smaller', 'others-10', 501, 'RATE-10'],
      ['rate-10-smaller', 'rough', 504, 'RATE-10'],
      ['rate-03-no-return', 'others-10', 501, 'RATE-03'],
      ['rate-03-no-return', 'others-50', 501, 'RATE-03'],
      ['rate-03-no-return', 'rough', 501, 'RATE-03'],
      ['rate-03-uncounted', 'others-10', 501, 'RATE-03'],
      ['rate-03-uncounted', 'others-10', 502, 'RATE-03'],
      ['rate-03-uncounted', 'others-50', 501, 'RATE-03'],
      ['rate-06-too-short', 'others-10', 501, 'RATE-06'],
      ['rate-06-too-short', 'others-50', 501, 'RATE-06'],
      ['rate-06-too-short', 'distant', 501, 'RATE-06'],
    ]),
  )(
    '%s in the world "%s" at seed %i: what cannot be told from others is not passed',
    async (id, world, seed, clause) => {
      const clauses = clausesOfFamily(caseOf(id));
      const { report } = await judgeCase(caseOf(id), { world: WORLDS[world], seed, clauses });
      expect(report.clauses.find((row) => row.id === clause)?.status).not.toBe('pass');
    },
  );
});
