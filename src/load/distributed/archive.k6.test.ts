import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { PATIENCE_MS } from '../../../test/programme.ts';
import { BUNDLE } from '../../../test/support/load/distributed/bundle.ts';
import { k6Path, WITH_K6 } from '../../../test/support/load/k6/k6.ts';
import { PACKAGE_ROOT } from '../../contract/package-root.ts';
import { archiveOf, entriesIn, relocated, tarOf } from './archive.ts';

const file = (name: string, text: string) => ({ name, data: Buffer.from(text), link: null });
/** As k6 writes one of a script in /home/me/a b. */
const packed = (...others: ReturnType<typeof file>[]) => [
  file(
    'metadata.json',
    JSON.stringify({
      filename: 'file:///home/me/a%20b/suites/load/arrivals.ts',
      pwd: 'file:///home/me/a%20b/suites/load',
      env: { TOKEN: 'secret' },
      options: { userAgent: 'assay (k6)' },
    }),
  ),
  file('data', 'script'),
  { name: 'file/home/me/a b/suites/load/arrivals.ts', data: Buffer.alloc(0), link: 'data' },
  file('file/home/me/a b/src/load/samples/line.ts', 'import'),
  file('file/var/tmp/assay-archive-x1/plan.json', '{}'),
  ...others,
];

describe('an archive is put elsewhere', () => {
  it('with its script, what that imports, and the plan beside it', async () => {
    const entries = await entriesIn(await relocated(await tarOf(packed()), '/assay-archive-x1/plan.json'));
    expect(entries.map(({ name, link }) => [name, link])).toEqual([
      ['metadata.json', null],
      ['data', null],
      ['file/assay/suites/load/arrivals.ts', 'data'],
      ['file/assay/src/load/samples/line.ts', null],
      ['file/assay/suites/load/plan.json', null],
    ]);
    expect(JSON.parse(String(entries[0]?.data))).toEqual({
      filename: 'file:///assay/suites/load/arrivals.ts',
      pwd: 'file:///assay/suites/load',
      env: {},
      options: { userAgent: 'assay (k6)' },
    });
  });

  it('unless it holds a file of this machine that is none of these', async () => {
    const archive = await tarOf(packed(file('file/home/me/.netrc', 'secret')));
    await expect(relocated(archive, '/assay-archive-x1/plan.json')).rejects.toThrow('k6 put .netrc into the archive');
  });

  it('unless it is of another script, or of none', async () => {
    const other = { filename: 'file:///home/me/x.js', pwd: 'file:///home/me', env: null };
    const foreign = await tarOf([file('metadata.json', JSON.stringify(other))]);
    await expect(relocated(foreign, 'x')).rejects.toThrow('another script');
    await expect(tarOf([]).then((empty) => relocated(empty, 'x'))).rejects.toThrow('without metadata');
  });
});

describe.skipIf(k6Path === null)(`${WITH_K6}, an archive`, () => {
  it('holds neither a path nor a variable of this machine, is the same each time, and is one that k6 reads', async () => {
    process.env.ASSAY_KEY_0 = 'secret-of-std-1';
    process.env.K6_USER_AGENT = 'settings-of-the-user';
    try {
      const archive = await archiveOf(k6Path ?? '', BUNDLE.plan);
      expect(await archiveOf(k6Path ?? '', BUNDLE.plan)).toEqual(archive);
      const text = archive.toString('latin1');
      for (const local of [
        PACKAGE_ROOT,
        process.env.HOME ?? '/root',
        '/tmp',
        'secret-of-std-1',
        'settings-of-the-user',
      ])
        expect(text.includes(local), local).toBe(false);
      const entries = await entriesIn(archive);
      expect(entries.every(({ name }) => /^(metadata\.json|data|file\/assay\/.+)$/.test(name))).toBe(true);
      const told = execFileSync(k6Path ?? '', ['inspect', '--execution-requirements', '-'], {
        input: archive,
        timeout: PATIENCE_MS,
      });
      // One more than the plan sends with: it tells how late the generator wakes.
      expect(JSON.parse(String(told))).toMatchObject({ maxVUs: 4, totalDuration: '16s' });
    } finally {
      delete process.env.ASSAY_KEY_0;
      delete process.env.K6_USER_AGENT;
    }
  });
});
