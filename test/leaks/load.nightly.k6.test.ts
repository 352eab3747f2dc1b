// A load run against a target that gives back the token that it is sent: what k6 and the run write of it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadDescriptions } from '../../src/cli/conform/descriptions.ts';
import { systemClock } from '../../src/clock/system.ts';
import { checkConfig } from '../../src/config/load.ts';
import { writeReports } from '../../src/reporters/files.ts';
import { runLoad } from '../../src/run/load/run-load.ts';
import { OPTIONS } from '../loaded.ts';
import { k6Path, WITH_K6 } from '../support/load/k6/k6.ts';
import { filesBelow, KNOWN } from './artefacts.ts';
import { type Artefact, leaksIn } from './search.ts';
import { GATE_HEADER, startTarget, type Target } from './target.ts';

const GATE = 'gate-Zq81mXw72LpRt5Vb';
const SECRET = 'sk_live_9f8e7d6c5b4a39281706abcdefXYZW';

describe.skipIf(k6Path === null)(`${WITH_K6}, a target that gives tokens back`, () => {
  let target: Target;
  let folder: string;
  let files: readonly Artefact[];

  beforeAll(async () => {
    target = await startTarget('echoes');
    folder = await mkdtemp(join(tmpdir(), 'assay-leaking-load-'));
    const config = checkConfig(
      {
        // biome-ignore lint/suspicious/noTemplateCurlyInString: that is how a configuration names a variable.
        target: { baseUrl: target.baseUrl, environment: 'local', headers: { [GATE_HEADER]: '${GATE}' } },
        services: { admin: { spec: join(import.meta.dirname, '..', '..', 'specs', 'admin.openapi.yaml') } },
        keys: [{ name: 'std-1', plan: 'standard', token: SECRET }],
        load: { caps: { seconds: 5, ratePerSecond: 50, requestsPerKey: 200 } },
      },
      join(folder, 'assay.config.json'),
      { baseUrl: null, env: { GATE } },
    );
    const descriptions = await loadDescriptions(config);
    const report = await runLoad({
      ...{ suite: 'ratelimit', config, descriptions, options: { ...OPTIONS, timeLimitSeconds: 20 } },
      ...{ k6: k6Path, folder: join(folder, 'load'), outputs: [], clock: systemClock },
      stop: new AbortController().signal,
    });
    await writeReports(report, folder);
    files = await filesBelow(folder);
  });
  afterAll(async () => {
    await target.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('is measured, answers are kept, and no file holds eight characters of the token', () => {
    const samples = files.filter(({ name }) => name.endsWith('.tsv'));
    expect(samples.some(({ text }) => /^B\t.*\[redacted key std-1\]/m.test(text))).toBe(true);
    expect(leaksIn(files, [SECRET], KNOWN)).toEqual([]);
  });

  it('carries the constant header with every request, and no file holds eight characters of that', () => {
    expect(target.ungated()).toBe(0);
    expect(files.some(({ text }) => text.includes('[redacted header X-Gate]'))).toBe(true);
    expect(leaksIn(files, [GATE], KNOWN)).toEqual([]);
  });
});
