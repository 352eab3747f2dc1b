// How a check says what it found out of things that the source leaves open: a finding that is never judged, and its row in
// the report's table.
import { breached, type Judgement, noting, type Observed } from '../contract/judgement.ts';

/** The finding and the row. `code` is that of the finding, `cause` is constant per kind of behaviour, `actual` says what was seen. */
export function observation(
  code: string,
  cause: string,
  actual: string,
  row: Observed,
  message: string = `${cause} (${actual})`,
): Judgement {
  return noting(breached([{ weight: 'observation', code, cause, message, expected: 'not stated', actual }]), [row]);
}

/** The observation that one call allows: likely, and sure once another shows the same. */
export function seenOnce(subject: string, value: string, basis: string): Observed {
  return { subject, value, confidence: 'likely', calls: 1, basis };
}
