// The texts of errors stay out of a report unless the configuration asks for them, and a report that shows them says so.
import { expect, test } from 'vitest';
import type { Config } from '../src/config/config.ts';
import type { Report } from '../src/contract/report.ts';
import { readModel } from '../src/platform/schema/model.ts';
import { pageView } from '../src/reporters/html/html.ts';
import { simulate } from '../src/simulation/simulate.ts';
import { WORLDS } from '../src/simulation/worlds.ts';

async function judged(evidence: Config['evidence']): Promise<Report> {
  const documents = await readModel({}, null);
  const options = { operations: ['/api/v1/stores'], budget: 120 };
  return simulate({ documents, deviations: [], seed: 1, world: WORLDS.calm, settings: { evidence }, options });
}

/** The texts of messages in the evidence. */
function messagesIn({ exchanges }: Report): readonly string[] {
  return exchanges.flatMap(({ response }) => /"message":\s*"([^"]+)"/.exec(response?.body ?? '')?.[1] ?? []);
}

test('texts of errors are redacted by default', async () => {
  const report = await judged({ errorMessages: 'redact' });
  const texts = messagesIn(report);
  expect(texts.length).toBeGreaterThan(0);
  expect(texts.filter((text) => !/^\[redacted message, \d+ characters\]$/.test(text))).toEqual([]);
  expect(report.run.errorMessages).toBeUndefined();
});

test('texts of errors are shown where the configuration asks, and report and page say so', async () => {
  const report = await judged({ errorMessages: 'keep' });
  const texts = messagesIn(report);
  expect(texts.length).toBeGreaterThan(0);
  expect(texts.filter((text) => text.startsWith('[redacted message'))).toEqual([]);
  expect(report.run.errorMessages).toBe('keep');
  expect(JSON.stringify(pageView(report))).toContain('{"label":"Error messages","value":"shown"}');
});
