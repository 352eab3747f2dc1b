import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import type { ReportedExchange } from '../../contract/report.ts';
import { scriptOf } from './script.ts';

const VARIABLES = { 'key ent-1': 'ASSAY_ENTERPRISE' };

function exchange(at: number, request: Partial<ReportedExchange['request']>, durationMs = 5): ReportedExchange {
  return {
    ...{ id: `ex-${at}`, probe: '', credential: 'key ent-1', attempt: 1, durationMs, response: null, failure: null },
    sentAt: new Date(at).toISOString(),
    request: { method: 'GET', url: 'http://127.0.0.1:9/api/v1/stores', headers: [], body: null, ...request },
  };
}

const create = {
  method: 'POST',
  headers: [
    ['User-Agent', 'assay'],
    ['Authorization', 'Bearer [redacted key ent-1]'],
    ['Idempotency-Key', 'run-7'],
  ] as const,
  body: `{"name":"Bob's $HOME \`x\`"}`,
};

/** The words of a line as a POSIX shell reads them. */
function wordsOf(curl: string, token: string): readonly string[] {
  const script = `curl() { for word in "$@"; do printf '%s\\n' "$word"; done; }\n${curl}`;
  return execFileSync('sh', ['-c', script], { env: { ...process.env, ASSAY_ENTERPRISE: token }, encoding: 'utf8' })
    .trim()
    .split('\n');
}

describe('the script of a finding', () => {
  test('numbers its steps, and names what is sent again', () => {
    const steps = [exchange(0, create), exchange(10, create), exchange(20, {})];
    expect(scriptOf(steps, VARIABLES)!.steps).toEqual([
      'Send A: POST /api/v1/stores with KEY_1',
      'Send A again',
      'GET /api/v1/stores',
    ]);
  });

  test('sends at once what overlapped in time', () => {
    const script = scriptOf([exchange(0, create, 50), exchange(1, create, 50)], VARIABLES)!;
    expect(script.steps).toEqual(['Send A: POST /api/v1/stores with KEY_1; Send A again, at once']);
    expect(script.curl).toMatch(/curl --parallel --parallel-immediate .*\n +--next /);
    expect(script.k6).toMatch(/send\(\[\[.*\], \[/);
  });

  test('takes the token from the variable that the configuration names, and draws a new Idempotency-Key', () => {
    const { curl, http, k6, remarks } = scriptOf([exchange(0, create)], VARIABLES)!;
    const words = wordsOf(curl, 't.o.k');
    expect(words).toContain('Authorization: Bearer t.o.k');
    expect(words.find((word) => word.startsWith('Idempotency-Key: '))).toMatch(/^Idempotency-Key: again-\d+-\d+-1$/);
    expect(words).toContain(create.body);
    expect(http).toContain('Authorization: Bearer {{ASSAY_ENTERPRISE}}');
    expect(k6).toContain('__ENV.ASSAY_ENTERPRISE}`');
    expect(remarks).toEqual(['$ASSAY_ENTERPRISE is the token of key ent-1']);
    expect(scriptOf([exchange(0, create)], {})!.curl).toContain('$ASSAY_TOKEN');
    expect(`${curl}${http}${k6}`).not.toContain('run-7');
  });

  test.each([
    ['last 4 characters', 'head.body.', 'AAAA'],
    ['4 characters added', 'head.body.signature-of-more-than-22-characters', 'AAAA'],
    ['alg none', 'eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.', 'body.'],
    ['alg None', 'eyJhbGciOiJOb25lIiwidHlwIjoiSldUIn0.', 'body.'],
    ['signature removed', 'head.body.', 'head.body.'],
    ['cut before the signature', 'head.body', 'head.body'],
    ['two characters of the signature', 'head.body.', 'AAre-than-22-characters'.slice(0, 2)],
  ])('makes a token with %s from the valid one', (change, start, part) => {
    const token = 'head.body.signature-of-more-than-22-characters';
    const headers = [['Authorization', `Bearer [altered key ent-1: ${change}]`]] as const;
    const { curl, k6 } = scriptOf([exchange(0, { headers })], VARIABLES)!;
    const line = wordsOf(curl, token).find((word) => word.startsWith('Authorization: Bearer '))!;
    const sent = line.slice('Authorization: Bearer '.length);
    expect(sent.startsWith(start)).toBe(true);
    expect(sent).toContain(part);
    expect(sent).not.toBe(token);
    const made = new Function('__ENV', 'encoding', `return ${/"Authorization": (`[^`]*`)/.exec(k6)![1]}`) as (
      env: object,
      encoding: object,
    ) => string;
    const encoding = { b64encode: (text: string) => Buffer.from(text).toString('base64url') };
    expect(made({ ASSAY_ENTERPRISE: token }, encoding)).toBe(`Bearer ${sent}`);
    expect(k6.includes("import encoding from 'k6/encoding';")).toBe(/^alg none$/i.test(change));
  });

  test('encodes the user and password of Basic, which their variable holds as they are', () => {
    const headers = [['Authorization', 'Basic [redacted key ent-1]']] as const;
    const { curl, http, k6, remarks } = scriptOf([exchange(0, { headers })], VARIABLES)!;
    expect(wordsOf(curl, 'user:pass')).toContain(`Authorization: Basic ${btoa('user:pass')}`);
    expect(http).toContain('Authorization: Basic {{ASSAY_ENTERPRISE}}');
    expect(k6).toContain('encoding.b64encode(__ENV.ASSAY_ENTERPRISE)');
    expect(remarks).toEqual(['$ASSAY_ENTERPRISE is the token of key ent-1']);
  });

  test('says what has to be filled in', () => {
    const headers = [['Authorization', 'Bearer [altered key ent-1: claims]']] as const;
    expect(scriptOf([exchange(0, { headers })], VARIABLES)!.remarks).toContain('fill in what is redacted');
    expect(scriptOf([], VARIABLES)).toBeNull();
  });
});
