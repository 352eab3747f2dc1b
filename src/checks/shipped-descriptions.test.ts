// The checks on real descriptions: the three that are shipped raise nothing, and schemas judge through them.
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  errorExchange,
  errorObject,
  exchangeWith,
  subjectOf,
  validationError,
} from '../../test/support/checks/exchanges.ts';
import { brief, underBase } from '../../test/support/checks/judging.ts';
import type { HeaderList } from '../exchange/exchange.ts';
import { loadDescription } from '../openapi/read/load.ts';
import { DESCRIPTION_CHECKS } from './description-checks.ts';
import { EXCHANGE_CHECKS } from './exchange-checks.ts';
import { sch01 } from './sch/sch-01.ts';
import { sch09 } from './sch/sch-09.ts';

const shipped = (service: string) =>
  loadDescription({
    service,
    file: join(import.meta.dirname, '../../specs', `${service}.openapi.yaml`),
    remoteRefs: [],
  });

describe('the shipped descriptions', () => {
  it.each(['admin', 'store', 'ai'])('%s raises only observations', async (service) => {
    const description = await shipped(service);
    const weighed = DESCRIPTION_CHECKS.flatMap((check) => check.judge(description, underBase('commerce')))
      .flatMap(({ judgement }) => (judgement.kind === 'breached' ? judgement.breaches : []))
      .filter(({ weight }) => weight !== 'observation');
    expect(weighed).toEqual([]);
  });

  it('raise nothing on sound answers', async () => {
    const description = await shipped('admin');
    const operation = description.operations.find(({ key }) => key === 'GET /api/v1/stores') ?? null;
    const unauthorized = errorObject({
      type: 'authentication_error',
      code: 'auth_token_invalid',
      status: 401,
      doc_url: 'https://docs.example.com/errors/auth_token_invalid',
    });
    const headers: HeaderList = [
      ['content-type', 'application/json'],
      ['x-ratelimit-limit', '100'],
      ['x-ratelimit-remaining', '99'],
      ['x-ratelimit-reset', '60'],
    ];
    for (const exchange of [
      exchangeWith({ headers, body: [{ id: 1 }] }),
      exchangeWith({ headers, body: { data: [] } }),
      errorExchange(unauthorized),
      errorExchange(validationError(), { headers, plan: { query: 'limit=x' } }),
    ]) {
      for (const check of EXCHANGE_CHECKS) {
        const said = brief(check, subjectOf(exchange, { operation, description, docsUrl: 'https://docs.example.com' }));
        expect(['holds', 'does not apply'], `${check.clause}: ${said}`).toContain(said);
      }
    }
  });

  it('judge a page of the activity log', async () => {
    const description = await shipped('admin');
    const operation = description.operations.find(({ key }) => key === 'GET /api/v1/auth/activity/logs') ?? null;
    const page = { data: [{ id: 1 }], total: 1, page: 1, limit: 20, total_pages: 1 };
    const on = (body: unknown) => subjectOf(exchangeWith({ body }), { operation, description });
    expect(brief(sch01, on(page))).toBe('holds');
    expect(brief(sch01, on({ ...page, total: '1' }))).toEqual(['/total breaks "type" of its schema (/total)']);
    expect(brief(sch01, on({ ...page, has_more: true }))).toEqual(['the body breaks "not" of its schema']);
    expect(brief(sch09, on({ ...page, next: 2 }))).toEqual(['/next is not described (/next)']);
  });

  it('leave the envelope to ERR', async () => {
    const description = await shipped('admin');
    const operation = description.operations.find(({ key }) => key === 'GET /api/v1/stores') ?? null;
    const judged = (error: Record<string, unknown>) =>
      brief(sch01, subjectOf(errorExchange(error, { status: 401 }), { operation, description }));
    expect(judged(errorObject({ status: '401', title: undefined, code: 7 }))).toBe('holds');
    const extraKey = exchangeWith({ status: 401, body: { error: errorObject({ status: 401 }), code: 1 } });
    expect(brief(sch01, subjectOf(extraKey, { operation, description }))).toBe('holds');
  });
});

describe('a recursive schema', () => {
  it('meets a body nested without end', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'assay-')), 'recursive.json');
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/Tree' } } };
    const Tree = { type: 'object', properties: { a: { $ref: '#/components/schemas/Tree' } } };
    const paths = { '/api/v1/trees': { get: { responses: { 200: { description: 'a tree', content } } } } };
    await writeFile(
      file,
      JSON.stringify({
        openapi: '3.0.0',
        info: { title: 't', version: '1' },
        paths,
        components: { schemas: { Tree } },
      }),
    );
    const description = await loadDescription({ service: 'admin', file, remoteRefs: [] });
    const operation = description.operations[0] ?? null;
    const body = `${'{"a":'.repeat(20_000)}{}${'}'.repeat(20_000)}`;
    const subject = subjectOf(exchangeWith({ body }), { operation, description });
    for (const check of EXCHANGE_CHECKS) if (check.applies(subject)) check.judge(subject);
  });
});
