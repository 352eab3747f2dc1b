// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${NAME} is the syntax of a configuration
// Whole runs of the command against targets that take any token, refuse all, or give everything back.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../../src/contract/report.ts';
import { inTurn, oneDue } from '../programme.ts';
import { warmAssay } from '../warm/warm.ts';
import { filesBelow, KNOWN } from './artefacts.ts';
import { leaksIn } from './search.ts';
import { GATE_HEADER, type Manner, startTarget } from './target.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const SECRETS = {
  OPAQUE: 'sk_live_9f8e7d6c5b4a39281706abcdefXYZW',
  JWT: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhY2NfNzEyMzQ1NiIsInBsYW4iOiJnIn0.c2lnbmF0dXJlLW9mLXRoZS1rZXktMTIz',
  LOCKED: 'locked-Zq81mXw72LpRt5Vb',
  EXPIRED: 'expired-Hy63kDn90QsWc4Fj',
  GATE: 'gate-Np27cXe94JtUb6Ws',
};

const warm = warmAssay();
afterAll(() => warm.end());

interface Run {
  readonly report: Report;
  readonly reportText: string;
  readonly leaks: ReturnType<typeof leaksIn>;
}

/** Runs `assay conform` under one key; everything that it left and said is searched. */
async function conform(manner: Manner, key: 'OPAQUE' | 'JWT', ...args: readonly string[]): Promise<Run> {
  const target = await startTarget(manner);
  const folder = await mkdtemp(join(tmpdir(), 'assay-leaking-'));
  try {
    const config = {
      target: { baseUrl: target.baseUrl, environment: 'local', headers: { [GATE_HEADER]: '${GATE}' } },
      services: { admin: { spec: join(ROOT, 'specs', 'admin.openapi.yaml') } },
      keys: [{ name: 'std-1', plan: 'standard', token: `\${${key}}` }],
      credentials: { locked: '${LOCKED}', expired: '${EXPIRED}' },
    };
    const file = join(folder, 'assay.config.json');
    await writeFile(file, JSON.stringify(config));
    const env = { PATH: process.env.PATH, ASSAY_CACHE: 'off', GITHUB_ACTIONS: 'true', ...SECRETS };
    const out = ['--out', join(folder, 'run'), '--history', join(folder, 'history.db'), '--json'];
    const { out: stdout, told } = await warm.perform({
      argv: ['conform', '--config', file, ...args, ...out],
      cwd: folder,
      env,
    });
    const said = [
      { name: 'stdout', text: stdout },
      { name: 'stderr', text: told },
    ];
    const configured = [SECRETS[key], SECRETS.LOCKED, SECRETS.EXPIRED, SECRETS.GATE];
    const reportText = await readFile(join(folder, 'run', 'report.json'), 'utf8');
    const leaks = leaksIn([...(await filesBelow(folder)), ...said], configured, KNOWN);
    return { report: JSON.parse(reportText), reportText, leaks };
  } finally {
    await target.close();
    await rm(folder, { recursive: true });
  }
}

describe.each(oneDue(['OPAQUE', 'JWT'] as const))(
  'a target that takes any token, under a key of the kind %s',
  (key) => {
    let run: Run;
    beforeAll(async () => {
      run = await conform('accepts', key, '--clause', 'AUTH-02', '--budget', '250');
    });

    it('violates AUTH-02, and nothing that is told of it gives the key away', () => {
      expect(run.report.clauses.find(({ id }) => id === 'AUTH-02')?.status).toBe('fail');
      expect(run.leaks).toEqual([]);
    });

    it('is shown by what was altered', () => {
      expect(run.reportText).toContain('Bearer [altered key std-1: last 4 characters]');
      expect(run.reportText).toContain('Bearer [altered key std-1: two characters of the signature]');
    });
  },
);

inTurn(
  () => {
    describe('a target that gives everything back', () => {
      let run: Run;
      beforeAll(async () => {
        run = await conform('echoes', 'OPAQUE', '--budget', '200');
      });

      it('violates ERR-12, and nothing that is told of it gives the key away', () => {
        expect(run.report.clauses.find(({ id }) => id === 'ERR-12')?.status).toBe('fail');
        expect(run.leaks).toEqual([]);
      });
    });
  },
  () => {
    describe('a target that refuses every token', () => {
      let run: Run;
      beforeAll(async () => {
        run = await conform('refuses', 'OPAQUE', '--budget', '60');
      });

      it('learns nothing that the report tells on, and the texts of its errors stay out', () => {
        expect(run.leaks).toEqual([]);
        expect(run.reportText).not.toContain('Ann Example');
      });
    });
  },
);
