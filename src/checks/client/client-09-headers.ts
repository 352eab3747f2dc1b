// CLIENT-09: every call of an operation that needs a token carries it, and says that it speaks JSON, with a body or without.
//
// CLIENT-09 (must): Every authenticated request carries `Authorization: Bearer` and `Content-Type: application/json`.
import { codeOf } from '../../contract/code.ts';
import type { Breach } from '../../contract/judgement.ts';
import { header } from '../../exchange/body.ts';
import type { ClientRequest, ClientRun } from '../../exchange/client-run.ts';
import { broken, held, idleReason, misdeed, type ScenarioJudgement, untold } from './scenario-judgement.ts';

export function judgeHeaders(runs: readonly ClientRun[]): readonly ScenarioJudgement[] {
  return runs.map(judgeRun);
}

function judgeRun(run: ClientRun): ScenarioJudgement {
  const known = run.requests.filter(({ operation }) => operation !== null);
  if (known.length === 0) return untold(run, idleReason(run) ?? 'no operation of the contract was called');
  const wrong = known.map((request) => ({ request, breaches: breachesOf(request, run) }));
  const shown = wrong.find(({ breaches }) => breaches.length > 0);
  return shown === undefined ? held(run, known.length) : broken(run, shown.breaches, [shown.request]);
}

function breachesOf(request: ClientRequest, run: ClientRun): readonly Breach[] {
  const authorization = header(request.headers, 'authorization')?.trim() ?? null;
  const contentType = header(request.headers, 'content-type')?.trim() ?? null;
  const { operation } = request;
  const scheme = authorization === null ? null : 'another scheme';
  return [
    ...(/^bearer +\S+$/i.test(authorization ?? '')
      ? []
      : [breach(run, 'no-bearer', operation, 'Authorization: Bearer', scheme)]),
    ...(/^application\/json\s*(;|$)/i.test(contentType ?? '')
      ? []
      : [breach(run, 'content-type', operation, 'Content-Type: application/json', contentType)]),
  ];
}

function breach(
  run: ClientRun,
  kind: string,
  operation: string | null,
  expected: string,
  actual: string | null,
): Breach {
  const told = [codeOf('CLIENT-09', kind, operation ?? ''), `a request lacks ${expected}`] as const;
  const how = actual === null ? 'without the header' : `with ${actual}`;
  return misdeed(run, told, `${operation} came ${how}, expected ${expected}`, expected, actual ?? 'absent');
}
