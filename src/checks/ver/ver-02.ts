// VER-02 (must): No Sunset and no Deprecation header.
import { codeOf } from '../../contract/code.ts';
import { type Breach, breached, toldBreach } from '../../contract/judgement.ts';
import { header } from '../../exchange/body.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { shortened } from '../../facts/answered.ts';
import type { ExchangeCheck } from '../check.ts';

const NAMES = ['Sunset', 'Deprecation'];

export const ver02: ExchangeCheck = {
  clause: 'VER-02',
  title: 'No Sunset and no Deprecation header',
  applies: ({ exchange }) => exchange.response !== null,
  judge: ({ exchange }) =>
    breached(
      NAMES.flatMap((name) => headerSent('VER-02', name, exchange)),
      NAMES.length,
    ),
};

/** The breach that an answer has the header; none where it has not. */
export function headerSent(clause: string, name: string, { response }: Exchange): readonly Breach[] {
  const value = header(response?.headers ?? [], name);
  if (value === null) return [];
  const actual = shortened(value);
  const kind = [codeOf(clause, `${name.toLowerCase()}-sent`), `a ${name} header is sent`] as const;
  return [toldBreach(kind, `the header ${name} is ${actual}, expected none`, `no ${name} header`, actual)];
}
