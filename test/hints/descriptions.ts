// Messages about descriptions that cannot be read at all.
import { configured, type HintCase } from './case.ts';

const described = (text: string, name = 'pets.json'): Record<string, string> => ({
  ...configured(`services: { pets: { spec: ${name} } }`),
  [name]: text,
});
const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const EXPORT = 'give the file or URL of an OpenAPI document';
const VERSION = 'give an OpenAPI document of version 2.0 (Swagger), 3.0, 3.1 or 3.2';
const SPLIT = 'split the description';

export const DESCRIPTIONS: readonly HintCase[] = [
  {
    line: 'plan',
    files: configured('services: { pets: { spec: none.json } }'),
    says: 'none.json: cannot be read',
    hint: '`spec`',
  },
  { line: 'plan', files: described(' '), says: 'the file is empty', hint: EXPORT },
  { line: 'plan', files: described('<html>'), says: 'pets.json:1: this is HTML or XML', hint: EXPORT },
  { line: 'plan', files: described('"text"'), says: 'this is text or a single value', hint: EXPORT },
  { line: 'plan', files: described('{\n "openapi" 1}'), says: 'pets.json:2: no JSON', hint: 'correct that line' },
  { line: 'plan', files: described('a: [1', 'pets.yaml'), says: 'neither JSON nor YAML', hint: 'correct that line' },
  { line: 'plan', files: described(nested(450)), says: 'nested more than 400 levels', hint: 'without such nesting' },
  {
    line: 'plan',
    files: described(`{"${'a'.repeat(9000)}":{"b":{"c":{}}}}`),
    says: 'exceed 8 KiB',
    hint: 'without such nesting',
  },
  { line: 'plan', files: described(`[${'1,'.repeat(2_000_001)}1]`), says: '2 million values', hint: SPLIT },
  { line: 'plan', files: described('[]'), says: 'this is a list', hint: VERSION },
  { line: 'plan', files: described('{"swaggerVersion":"1.2"}'), says: 'there is no `openapi` field', hint: VERSION },
  { line: 'plan', files: described('{"openapi":"4.0"}'), says: 'OpenAPI "4.0" is not supported', hint: VERSION },
  { line: 'plan', files: described(aliased(), 'pets.yaml'), says: '2 million values', hint: SPLIT },
  { line: 'plan', files: described(merged(), 'pets.yaml'), says: '2 million values', hint: SPLIT },
];

/** Few lines that stand for millions of values, each line ten times for the one before. */
function aliased(): string {
  const lines = ['l0: &l0 { a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1, i: 1, j: 1 }'];
  for (let at = 1; at <= 6; at += 1)
    lines.push(`l${at}: &l${at} { ${[...'abcdefghij'].map((name) => `${name}: *l${at - 1}`).join(', ')} }`);
  return `${lines.join('\n')}\n`;
}

/** Two thousand lines, each with the thousand fields of the first. */
function merged(): string {
  const fields = Array.from({ length: 1000 }, (_, index) => `k${index}: 1`).join(', ');
  return `a: &a { ${fields} }\n${Array.from({ length: 2100 }, (_, index) => `x-${index}: { <<: *a }\n`).join('')}`;
}
