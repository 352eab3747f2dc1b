// ERR-08 (must): The timestamp is ISO 8601 with date, time and zone. Tolerance: Fractions and any offset allowed.
//   More than 5 minutes from the response's Date header: advisory.
import { type Breach, breached } from '../../contract/judgement.ts';
import { header } from '../../exchange/body.ts';
import { placeName } from '../../exchange/envelope.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { epochOfIso8601 } from '../../exchange/iso-8601.ts';
import { shortened } from '../../facts/answered.ts';
import { err } from '../../wording/err.ts';
import { errorCheck } from './error-check.ts';
import { type PlacedText, textsIn } from './error-object.ts';

const SLACK_MS = 5 * 60_000;

export const err08 = errorCheck({
  clause: 'ERR-08',
  title: 'The timestamp is ISO 8601 with date, time and zone',
  about: (error) => textsIn(error, 'timestamp').length > 0,
  judge(error, { exchange }) {
    const texts = textsIn(error, 'timestamp');
    const subject = placeName(error.terms.members.timestamp?.at ?? '');
    return breached(
      texts.flatMap((placed) => breachesAt(placed, subject, serverDateMs(exchange))),
      texts.length,
    );
  },
});

function breachesAt({ pointer, text }: PlacedText, subject: string, dateMs: number | null): readonly Breach[] {
  const actual = shortened(text);
  const statedMs = epochOfIso8601(text);
  if (statedMs === null) {
    const expected = 'ISO 8601 with date, time and zone';
    const told = err('err-08.not-iso-8601', { subject, actual, expected });
    return [{ weight: 'breach', ...told, expected, actual, pointer }];
  }
  if (dateMs === null || Math.abs(dateMs - statedMs) <= SLACK_MS) return [];
  const expected = `within 5 minutes of the Date header, ${new Date(dateMs).toISOString()}`;
  const told = err('err-08.far-from-date', { subject, actual, expected });
  return [{ weight: 'advisory', ...told, expected, actual, pointer }];
}

function serverDateMs({ response }: Exchange): number | null {
  const ms = Date.parse((response && header(response.headers, 'date')) ?? '');
  return Number.isNaN(ms) ? null : ms;
}
