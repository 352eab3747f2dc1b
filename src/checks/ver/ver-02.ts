// VER-02 (must): No Sunset and no Deprecation header.
import { codeOf } from '../../contract/code.ts';
import { breached } from '../../contract/judgement.ts';
import { header } from '../../exchange/body.ts';
import { shortened } from '../../facts/answered.ts';
import type { ExchangeCheck } from '../check.ts';

const NAMES = ['Sunset', 'Deprecation'];

export const ver02: ExchangeCheck = {
  clause: 'VER-02',
  title: 'No Sunset and no Deprecation header',
  applies: ({ exchange }) => exchange.response !== null,
  judge({ exchange }) {
    const breaches = NAMES.flatMap((name) => {
      const value = header(exchange.response?.headers ?? [], name);
      if (value === null) return [];
      const actual = shortened(value);
      const message = `the header ${name} is ${actual}, expected none`;
      return [
        {
          weight: 'breach' as const,
          code: codeOf('VER-02', `${name.toLowerCase()}-sent`),
          cause: `a ${name} header is sent`,
          message,
          expected: `no ${name} header`,
          actual,
        },
      ];
    });
    return breached(breaches, NAMES.length);
  },
};
