// ERR-08 (must): `timestamp` is ISO 8601 with date, time and zone. Tolerance: Fractions and any offset allowed. More
//   than 5 minutes from the response's Date header: advisory.
import { breached } from '../../contract/judgement.ts';
import { header } from '../../exchange/body.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { epochOfIso8601 } from '../../exchange/iso-8601.ts';
import { shortened } from '../../facts/answered.ts';
import { err } from '../../wording/err.ts';
import { errorCheck } from './error-check.ts';
import { textMember } from './error-object.ts';

const SLACK_MS = 5 * 60_000;

export const err08 = errorCheck({
  clause: 'ERR-08',
  title: 'error.timestamp is ISO 8601 with date, time and zone',
  about: (error) => textMember(error, 'timestamp') !== null,
  judge(error, { exchange }) {
    const timestamp = textMember(error, 'timestamp') ?? '';
    const actual = shortened(timestamp);
    const statedMs = epochOfIso8601(timestamp);
    const pointer = '/error/timestamp';
    if (statedMs === null) {
      const expected = 'ISO 8601 with date, time and zone';
      const told = err('err-08.not-iso-8601', { actual, expected });
      return breached([{ weight: 'breach', ...told, expected, actual, pointer }]);
    }
    const dateMs = serverDateMs(exchange);
    if (dateMs === null || Math.abs(dateMs - statedMs) <= SLACK_MS) return breached([]);
    const expected = `within 5 minutes of the Date header, ${new Date(dateMs).toISOString()}`;
    const told = err('err-08.far-from-date', { actual, expected });
    return breached([{ weight: 'advisory', ...told, expected, actual, pointer }]);
  },
});

function serverDateMs({ response }: Exchange): number | null {
  const ms = Date.parse((response && header(response.headers, 'date')) ?? '');
  return Number.isNaN(ms) ? null : ms;
}
