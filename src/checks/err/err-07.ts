// ERR-07 (must): The instance is the request path that produced the error. Tolerance: With or without the query
//   string; percent-encoding compared after normalising.
import { breached } from '../../contract/judgement.ts';
import { placeName } from '../../exchange/envelope.ts';
import { shortened } from '../../facts/answered.ts';
import { err } from '../../wording/err.ts';
import { errorCheck } from './error-check.ts';
import { textsIn } from './error-object.ts';
import { isRequestPath } from './request-path.ts';

export const err07 = errorCheck({
  clause: 'ERR-07',
  title: 'The instance is the request path',
  about: (error) => textsIn(error, 'instance').length > 0,
  judge(error, { exchange }) {
    const { at = '', form = null } = error.terms.members.instance ?? {};
    const texts = textsIn(error, 'instance');
    const breaches = texts.flatMap(({ pointer, text }) => {
      if (isRequestPath(form === 'path' ? text : withoutOrigin(text), exchange)) return [];
      const actual = shortened(text);
      const expected = `${exchange.request.path}, with or without the query string`;
      const told = err('err-07.not-request-path', { subject: placeName(at), actual, expected });
      return [{ weight: 'breach', ...told, expected, actual, pointer } as const];
    });
    return breached(breaches, texts.length);
  },
});

/** The path of an absolute URL: its host does not count, for a proxy may call it otherwise. */
function withoutOrigin(text: string): string {
  return text.replace(/^https?:\/\/[^/?#]+/i, '');
}
