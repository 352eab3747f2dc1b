// Strings of the formats that OpenAPI documents use, as fast-check arbitraries.
import * as fc from 'fast-check';
import { words } from './sampling.ts';

const RECENT = { min: new Date('2026-01-01T00:00:00Z'), max: new Date('2026-06-30T00:00:00Z'), noInvalidDate: true };
const LABEL = words(6, 10);

const FORMATS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'date-time': fc.date(RECENT).map((date) => date.toISOString()),
  date: fc.date(RECENT).map((date) => date.toISOString().slice(0, 10)),
  time: fc.date(RECENT).map((date) => date.toISOString().slice(11)),
  email: LABEL.map((label) => `${label}@example.com`),
  uuid: fc.uuid({ version: 4 }),
  uri: LABEL.map((label) => `https://example.com/${label}`),
  url: LABEL.map((label) => `https://example.com/${label}`),
  'uri-reference': LABEL.map((label) => `/${label}`),
  hostname: LABEL.map((label) => `${label}.example.com`),
  ipv4: fc.ipV4(),
  ipv6: fc.ipV6(),
  byte: LABEL.map((label) => Buffer.from(label).toString('base64')),
  binary: LABEL,
  password: LABEL.map((label) => `Aa1!${label}${label}`),
};

/** Strings of the format; null for a format that is not known here. */
export function formatArbitrary(format: string): fc.Arbitrary<string> | null {
  return FORMATS[format] ?? null;
}
