// What the contract `openapi` finds on an API with planted defects: each of them, by its clause, and nothing else.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../src/contract/report.ts';
import { DEFECTS } from './planted/defects.ts';
import { judgePlanted } from './planted/run.ts';
import { SOUND } from './planted/server.ts';
import { shareDue } from './programme.ts';

/** Tests of their own look for these together. */
const ALWAYS = ['body-empty', 'fails-with-tags', 'fails-on-unknown', 'fails-on-malformed'];
const DUE = shareDue(Object.keys(DEFECTS), 10);
/** Each of the others is planted on one day of ten. */
const PLANTED = Object.entries(DEFECTS).filter(([name]) => ALWAYS.includes(name) || DUE.includes(name));

let report: Report;
beforeAll(async () => {
  report = await judgePlanted([SOUND, ...PLANTED.map(([name]) => name)]);
});

/** Clauses with a violation or an advisory on the operations of a resource. */
function clausesOn(name: string): readonly string[] {
  const own = report.findings.filter(({ kind, operation }) => {
    const [, path = ''] = operation?.split(' ') ?? [];
    return kind !== 'observation' && (path === `/${name}` || path.startsWith(`/${name}/`));
  });
  return [...new Set(own.map(({ clause }) => clause))];
}

/** What the same defect breaks besides: a value that was not sent and a delete that deletes nothing show in a resource's life. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  'value-unlisted': ['LIFE-02'],
  'serves-deleted': ['LIFE-04'],
  // A number below zero is no text of digits for the server, and a body that is left out has no media type.
  'takes-text-query': ['REQ-08'],
  'takes-any-media': ['REQ-03'],
};

describe('a planted defect', () => {
  it.each(PLANTED)('%s is found, and nothing else on its resource', (name, { clause }) => {
    expect(clausesOn(name).toSorted()).toEqual([clause, ...(ALSO[name] ?? [])].toSorted());
  });
});

it('nothing is found on a sound resource', () => {
  expect(clausesOn(SOUND)).toEqual([]);
});

it('every operation is tested but the deletion of what no create names: it is called with what was sent', () => {
  const untested = report.operations.filter(({ tested }) => !tested);
  expect(untested.map(({ operation, succeeded }) => [operation, succeeded])).toEqual([
    ['DELETE /body-empty/{id}', false],
  ]);
  for (const { requests, reason } of untested) {
    expect(requests).toBeGreaterThan(0);
    expect(reason).toContain('none of its calls succeeded');
  }
});

it('failing on a sound request is told apart from failing on a wrong one', () => {
  const causes = report.findings.filter(({ clause }) => clause === 'SCH-06').map(({ cause }) => cause);
  expect(new Set(causes)).toEqual(
    new Set(['a sound request is answered 500', 'a wrong request is answered 500', 'hostile input is answered 500']),
  );
});
