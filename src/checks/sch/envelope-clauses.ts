// Where the clauses on the error envelope speak of a body, so that the SCH checks do not report the same again. Under the
// contract `openapi` they never do.
import { jsonBody } from '../../exchange/body.ts';
import { isError, wholeResponse } from '../../facts/answered.ts';
import type { Subject } from '../check.ts';
import { isErrorOnSuccess } from '../err/err-13.ts';
import { envelopeChecks } from '../err/family.ts';

/** Tells whether the answer is an error of a contract that has an envelope: its presence, type and emptiness are ERR-01's. */
export function isLeftToEnvelope({ exchange, contract }: Subject): boolean {
  return contract === 'commerce' && isError(wholeResponse(exchange)?.status ?? 0);
}

/** Tells whether a success shows the envelope, of which ERR-13 speaks. */
export function showsEnvelopeOnSuccess(subject: Subject): boolean {
  return subject.contract === 'commerce' && isErrorOnSuccess(subject);
}

/** Pointers of the breaches that ERR-01 to ERR-11 report of this answer; none for what is no error. */
export function reportedByEnvelope(subject: Subject): readonly string[] {
  if (!isLeftToEnvelope(subject) || !jsonBody(subject.exchange).ok) return [];
  return envelopeChecks
    .filter((check) => check.applies(subject))
    .map((check) => check.judge(subject))
    .flatMap((judgement) => (judgement.kind === 'breached' ? judgement.breaches : []))
    .filter(({ weight }) => weight !== 'observation')
    .map(({ pointer }) => pointer ?? '');
}
