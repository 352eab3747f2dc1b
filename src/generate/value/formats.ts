// Texts of the formats that OpenAPI documents use, of about the length that is asked for.
import * as fc from 'fast-check';
import type { Chance } from '../chance.ts';
import { amountThatLosesACent } from '../schema/numbers.ts';

/** Text of a format around a label of small letters; a format may have several forms, the commonest first. */
type Make = (label: string, chance: Chance) => string;

const RECENT = { min: new Date('2026-01-01T00:00:00Z'), max: new Date('2026-06-30T00:00:00Z'), noInvalidDate: true };
const DATES = fc.date(RECENT).map((date) => date.toISOString());
const UUIDS = fc.uuid({ version: 4 });
const [IPV4, IPV6] = [fc.ipV4(), fc.ipV6()];
const MAX_HOST_LABEL_CHARS = 60;

const uri: readonly Make[] = [(label) => `https://example.com/${label}`, (label) => `https://b.co/${label}`];
const path: readonly Make[] = [(label) => `/${label}`];
const email: readonly Make[] = [(label) => `${label}@example.com`, (label) => `${label}@b.co`];
const hostname: readonly Make[] = [(label) => `${dotted(label)}.example.com`, dotted];
const digits: readonly Make[] = [(label, chance) => String(chance.between(1, 10 ** Math.min(label.length, 9) - 1))];
const decimal: readonly Make[] = [
  (label, chance) => {
    const number = chance.between(1, 10 ** Math.min(label.length, 4) - 1);
    return (amountThatLosesACent(number) ?? number).toFixed(2);
  },
];

const FORMATS: Readonly<Record<string, readonly Make[]>> = {
  'date-time': [
    (_, chance) => chance.of(DATES),
    (_, chance) => chance.of(DATES).replace(/\.\d+/, ''),
    (_, chance) => chance.of(DATES).replace(/\.\d+Z/, '+00:00'),
    (_, chance) => chance.of(DATES).replace(/\.\d+Z/, '+02:00'),
  ],
  date: [(_, chance) => telling(chance.of(DATES).slice(0, 10))],
  time: [(_, chance) => chance.of(DATES).slice(11), (_, chance) => `${chance.of(DATES).slice(11, 19)}Z`],
  duration: [(_, chance) => `P${chance.between(1, 9)}D`, (_, chance) => `PT${chance.between(1, 59)}M`],
  email,
  'idn-email': email,
  uuid: [(_, chance) => chance.of(UUIDS)],
  uri,
  url: uri,
  iri: uri,
  'uri-reference': path,
  'iri-reference': path,
  'uri-template': [(label) => `/${label}/{id}`],
  'json-pointer': path,
  'relative-json-pointer': [(label) => `0/${label}`],
  regex: [(label) => `^${label}$`],
  hostname,
  'idn-hostname': hostname,
  ipv4: [(_, chance) => chance.of(IPV4), () => '10.0.0.1', () => '1.1.1.1'],
  ipv6: [(_, chance) => chance.of(IPV6), () => '2001:db8::1', () => '::1'],
  byte: [base64],
  base64: [base64],
  base64url: [(label) => Buffer.from(label).toString('base64url')],
  base16: [(label) => Buffer.from(label).toString('hex')],
  base32: [(label) => label.toUpperCase().padEnd(Math.ceil(label.length / 8) * 8, 'A')],
  password: [(label) => `Aa1!${label}${label}`, (label) => `Aa1!${label}`],
  int32: digits,
  int64: digits,
  uint64: digits,
  float: decimal,
  double: decimal,
  decimal,
};

/** The date moved within its month to a day that is some other month's number: day and month that changed places are another date. */
function telling(date: string): string {
  const [month, day] = [Number(date.slice(5, 7)), Number(date.slice(8, 10))];
  const moved = ((day - 1) % 12) + 1;
  const other = moved === month ? (moved % 12) + 1 : moved;
  return `${date.slice(0, 8)}${String(other).padStart(2, '0')}`;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** How often a label's length is mended. */
const MAX_MENDINGS = 4;

/** Tells whether texts of the format are made here. */
export function isKnownFormat(format: string): boolean {
  return Object.hasOwn(FORMATS, format);
}

/** Texts of the format, as near to the bounds of length as the format allows; none for an unknown one. */
export function* formatTexts(format: string, minLength: number, maxLength: number, chance: Chance): Generator<string> {
  for (const make of Object.hasOwn(FORMATS, format) ? (FORMATS[format] ?? []) : []) {
    let length = chance.between(6, 10);
    for (let mending = 0; mending < MAX_MENDINGS; mending += 1) {
      const text = make(labelOf(length, chance), chance);
      yield text;
      const excess = text.length - maxLength;
      const lack = minLength - text.length;
      length = Math.max(1, excess > 0 ? length - excess : lack > 0 ? length + lack : length);
    }
  }
}

/** Small letters; never a word that engines stumble over. */
export function labelOf(length: number, chance: Chance): string {
  let label = '';
  for (let at = 0; at < length; at += 1) label += chance.pick(LETTERS);
  return label;
}

function base64(label: string): string {
  return Buffer.from(label).toString('base64');
}

function dotted(label: string): string {
  return label.match(new RegExp(`.{1,${MAX_HOST_LABEL_CHARS}}`, 'g'))?.join('.') ?? label;
}
