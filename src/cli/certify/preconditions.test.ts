import { expect, it } from 'vitest';
import { descriptionWith, operationWith } from '../../../test/support/checks/exchanges.ts';
import { configWith, optionsWith } from '../../../test/support/run/test-config.ts';
import type { Config, KeyConfig } from '../../config/config.ts';
import { lackingFor, mustBeCertifiable } from './preconditions.ts';

const key = (plan: string): KeyConfig => ({
  ...{ name: plan, plan, token: 'token-of-a-key', tokenCommand: null, account: plan, scheme: null },
});
const KEYS = [key('standard'), key('enterprise')];
const CREDENTIALS = { locked: 'token-of-locked', expired: 'token-of-expired' };

const described = (security: readonly string[][], services = ['admin', 'store']) =>
  services.map((service) => descriptionWith({ service, operations: [operationWith({ service, security })] }));

function plan(changes: Partial<Config>, services?: string[]) {
  const descriptions = described([['bearer']], services);
  const config = configWith({ keys: KEYS, credentials: CREDENTIALS, ...changes });
  return { config, options: optionsWith(), descriptions };
}

it('foresees nothing where keys, tokens and consents are there', () => {
  expect(lackingFor(plan({}))).toEqual([]);
});

it.each<[string, Partial<Config>, string]>([
  ['an expired token', { credentials: { ...CREDENTIALS, expired: null } }, 'AUTH-03'],
  ['a token of a locked account', { credentials: { ...CREDENTIALS, locked: null } }, 'AUTH-04'],
  ['a key of a second plan', { keys: [key('standard')] }, 'RATE-08'],
])('foresees what cannot be judged without %s', (_, changes, clause) => {
  expect(lackingFor(plan(changes)).map((one) => one.key)).toContain(clause);
  // Clauses that lack the same stand in one line: "RATE-07, -08: needs keys of two plans".
  const [family, number] = clause.split('-');
  expect(() => mustBeCertifiable(plan(changes))).toThrow(new RegExp(`^  ${family}-.*${number}: `, 'm'));
});

it('takes what the configuration accepts', () => {
  const certify = { accept: { 'AUTH-03': 'none can be had' } };
  expect(lackingFor(plan({ credentials: { ...CREDENTIALS, expired: null }, certify }))).toEqual([]);
});

it('asks for no token of an API that takes none', () => {
  const open = { ...plan({ credentials: { locked: null, expired: null } }) };
  expect(lackingFor({ ...open, descriptions: described([]) })).toEqual([]);
});

it('foresees that a clause over two services cannot be judged where one has operations', () => {
  expect(lackingFor(plan({}, ['admin']))).toEqual([{ key: 'AUTH-05', message: 'needs operations of 2 services' }]);
});
