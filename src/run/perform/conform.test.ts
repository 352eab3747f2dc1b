import { expect, it } from 'vitest';
import { documentWith, loadFiles } from '../../../test/support/openapi/descriptions.ts';
import { configWith, optionsWith } from '../../../test/support/run/test-config.ts';
import { systemClock } from '../../clock/system.ts';
import { conform } from './conform.ts';

it('reaches no verdict where no description shows an operation, and sends nothing', async () => {
  const { paths: _paths, ...rest } = documentWith('3.1.0', { A: {} });
  const webhooks = { order: { post: { responses: { 200: { description: 'Taken' } } } } };
  const description = await loadFiles({ 'hooks.json': { ...rest, webhooks } });
  const report = await conform({
    clock: systemClock,
    config: configWith({ contract: 'openapi' }),
    options: optionsWith(),
    descriptions: [description],
    stop: new AbortController().signal,
  });
  expect([report.verdict, report.counts.requests, report.run.note]).toEqual([
    'none',
    0,
    'no description shows an operation: there is nothing to call',
  ]);
});
