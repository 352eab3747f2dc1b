// PAG-11 (must): No `Link` header.
import { breached } from '../../contract/judgement.ts';
import type { ExchangeCheck } from '../check.ts';
import { headerSent } from '../ver/ver-02.ts';

export const pag11: ExchangeCheck = {
  clause: 'PAG-11',
  title: 'No Link header',
  applies: ({ exchange, operation }) => operation !== null && exchange.response !== null,
  judge: ({ exchange }) => breached(headerSent('PAG-11', 'Link', exchange)),
};
