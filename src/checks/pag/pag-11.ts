// PAG-11 (must): No `Link` header.
import { breached } from '../../contract/judgement.ts';
import { header } from '../../exchange/body.ts';
import { shortened } from '../../facts/answered.ts';
import type { ExchangeCheck } from '../check.ts';

export const pag11: ExchangeCheck = {
  clause: 'PAG-11',
  title: 'No Link header',
  applies: ({ exchange, operation }) => operation !== null && exchange.response !== null,
  judge({ exchange }) {
    const value = header(exchange.response?.headers ?? [], 'link');
    if (value === null) return breached([]);
    const actual = shortened(value);
    const message = `the header Link is ${actual}, expected none`;
    const [code, cause] = ['pag-11.link-sent', 'a Link header is sent'];
    return breached([{ weight: 'breach', code, cause, message, expected: 'no Link header', actual }]);
  },
};
