// Where the ERR checks already have something against an error's body: SCH-01 does not report the same again.
import { jsonBody } from '../../exchange/body.ts';
import { isError, wholeResponse } from '../answered.ts';
import type { Subject } from '../check.ts';
import { envelopeChecks } from '../err/family.ts';

/** Pointers of the breaches that ERR-01 to ERR-11 report of this answer; none for what is no error. */
export function reportedByEnvelope(subject: Subject): readonly string[] {
  if (!isError(wholeResponse(subject.exchange)?.status ?? 0) || !jsonBody(subject.exchange).ok) return [];
  return envelopeChecks
    .filter((check) => check.applies(subject))
    .map((check) => check.judge(subject))
    .flatMap((judgement) => (judgement.kind === 'breached' ? judgement.breaches : []))
    .filter(({ weight }) => weight !== 'observation')
    .map(({ pointer }) => pointer ?? '');
}
