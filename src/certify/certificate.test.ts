// The certificate written and looked at again: what is true is accepted, whatever was changed is refused.
import { execFileSync } from 'node:child_process';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brokenBytes, brokenJson } from '../../test/inputs/mutations.ts';
import { draws } from '../../test/programme.ts';
import { changed, conforming, SELF_CHECK, WAIVER, waived, ZERO } from '../../test/support/certified-reports.ts';
import type { Report } from '../contract/report.ts';
import { decide, type Facts } from './decide.ts';
import { recomputed } from './recompute.ts';
import { type Statement, sealed, serialised } from './statement.ts';
import { verifyPackage } from './verify.ts';
import { writeCertificate } from './write.ts';

/** The same with everything in it writable. */
type Open<T> = T extends object ? { -readonly [Member in keyof T]: Open<T[Member]> } : T;

const NOTHING = { publicKey: null, subject: [] };
const keys = generateKeyPairSync('ed25519', {
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const stranger = generateKeyPairSync('ed25519', {
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

const withRow = (id: string, row: object) => (report: Report) => ({
  clauses: report.clauses.map((one) => (one.id === id ? { ...one, ...row } : one)),
});
const decided = (report: Report, facts: Partial<Facts> = {}) =>
  decide({ report, selfCheck: SELF_CHECK, accept: {}, ...facts });

describe('the verdict', () => {
  test.each<[string, Report, Partial<Facts>, string]>([
    ['every clause holds', conforming(), {}, 'conforms'],
    ['a violation is waived', changed(() => waived('used')), {}, 'conforms-with-waivers'],
    ['a violation is not', changed(withRow('ERR-04', { status: 'fail', violations: 1 })), {}, 'does-not-conform'],
    ['a waiver is unused', changed(() => waived('unused')), {}, 'no-verdict'],
    ['a waiver is expired', changed(() => waived('expired')), {}, 'no-verdict'],
    ['filters', changed(({ run }) => ({ run: { ...run, filters: NO_FILTER } })), {}, 'no-verdict'],
    ['a shard', changed(({ run }) => ({ run: { ...run, shard: { index: 1, count: 2 } } })), {}, 'no-verdict'],
    ['a part', changed(({ run }) => ({ run: { ...run, partial: true } })), {}, 'no-verdict'],
    ['no verdict', changed(() => ({ verdict: 'none' })), {}, 'no-verdict'],
    ['a baseline', changed(() => ({ acceptance: { failOn: 'new', baseline: null, waivers: [] } })), {}, 'no-verdict'],
    ['no self-check', conforming(), { selfCheck: null }, 'no-verdict'],
    ['a fault missed', conforming(), { selfCheck: { ...SELF_CHECK, caught: 2, missed: ['x'] } }, 'no-verdict'],
    ['a false alarm', conforming(), { selfCheck: { ...SELF_CHECK, clean: false } }, 'no-verdict'],
    ['no fault tried', conforming(), { selfCheck: { ...SELF_CHECK, faults: 0, caught: 0 } }, 'no-verdict'],
    ['a must clause untested', untested('AUTH-03', 'no-credential'), {}, 'no-verdict'],
    ['and accepted so', untested('AUTH-03', 'no-credential'), { accept: { 'AUTH-03': 'why' } }, 'conforms'],
    ['a pending service', untested('SCH-01', 'service-pending'), {}, 'conforms'],
    ['a should clause untested', untested('SPEC-02', 'precondition'), {}, 'conforms'],
  ])('%s', (_name, report, facts, verdict) => {
    expect(decided(report, facts).verdict).toBe(verdict);
  });

  test.each<[string, Report, string]>([
    ['a run that was cut', changed(({ run }) => ({ run: { ...run, partial: true } })), 'the run is partial'],
    ['one clause', untested('AUTH-03', 'no-credential'), 'AUTH-03 was not tested'],
    ['several clauses', gapsOf(['RATE-04', 'RATE-06', 'AUTH-05']), 'AUTH-05; RATE-04, -06 were not tested'],
  ])('none says in its sentence that it is for %s', (_why, report, why) => {
    expect(decided(report).sentence).toBe(`There is no verdict: ${why}.`);
  });

  test('names clauses that were not tested for one reason in one remark, and says why a service is not covered', () => {
    const services = conforming().services.map((one, at) =>
      at === 0 ? one : { ...one, testable: false, reason: 'its description shows no operation' },
    );
    const { remarks } = decided({ ...gapsOf(['RATE-04', 'RATE-06']), services, leftovers: [] });
    expect(remarks).toEqual([
      'RATE-04, -06 were not tested: no occasion',
      ...services.slice(1).map(({ name }) => `the service ${name} is not covered: its description shows no operation`),
    ]);
  });

  test('tells what stays on a target, and of the embedded platform, which is gone, nothing', () => {
    const leaving = changed(() => ({ leftovers: ['POST /api/v1/stores → store_1'] }));
    const told = 'the run created 1 object that stays on the target';
    expect(decided(leaving).remarks).toContain(told);
    const { remarks } = decided({ ...leaving, target: { ...leaving.target, embedded: true } });
    expect(remarks).not.toContain(told);
  });

  test.each([
    ['holds', { status: 'pass', checks: 9 }, 'conforms'],
    ['is broken', { status: 'fail', checks: 9, violations: 1 }, 'does-not-conform'],
    ['could not be tested', { status: 'not-tested', checks: 0, reasonCode: 'precondition' }, 'no-verdict'],
  ])('covers a client that was taken along, whose clause %s', (_how, row, verdict) => {
    const report = changed(withRow('CLIENT-03', { ...row, reasonCode: (row as { reasonCode?: string }).reasonCode }));
    const { clauses, outOfScope, verdict: decision } = decided(report);
    expect(decision).toBe(verdict);
    expect(clauses.map(({ id }) => id)).toContain('CLIENT-03');
    expect(outOfScope.map(({ id }) => id)).not.toContain('CLIENT-03');
    const again = recomputed(report, SELF_CHECK, {});
    expect({ verdict: again.verdict, clauses: again.clauses, outOfScope: again.outOfScope }).toEqual({
      ...{ verdict, clauses, outOfScope },
    });
  });

  test('names pending services, and clauses whose subject is not there', () => {
    const { pending, outOfScope, clauses } = decided(conforming());
    expect(pending).toEqual(['store']);
    const reasons = new Map(outOfScope.map(({ id, reason }) => [id, reason]));
    expect(reasons.get('HOOK-01')).toBe('its subject is not there: no webhooks.trigger is configured');
    expect(reasons.get('CLIENT-01')).toBe('its subject is not there: no clients are configured');
    expect(clauses.some(({ id }) => id.startsWith('CLIENT-'))).toBe(false);
  });
});

const NO_FILTER = { services: [], operations: [], clauses: ['ERR-04'] };
function gapsOf(ids: readonly string[]): Report {
  return changed(({ clauses }) => ({
    clauses: clauses.map((one) =>
      ids.includes(one.id)
        ? { ...one, status: 'not-tested', checks: 0, reasonCode: 'precondition', reason: 'no occasion' }
        : one,
    ),
  }));
}

function untested(id: string, reasonCode: string): Report {
  return changed(withRow(id, { status: 'not-tested', checks: 0, reasonCode }));
}

describe('a package', () => {
  let folder: string;
  let release: string;
  const packages: string[] = [];

  async function written(report: Report, options: { key?: string; subject?: readonly string[] } = {}) {
    const made = await mkdtemp(join(tmpdir(), 'assay-package-'));
    packages.push(made);
    await writeFile(join(made, 'report.json'), JSON.stringify(report));
    await writeFile(join(made, 'index.html'), '<p>report</p>');
    await writeCertificate({
      ...{ report, folder: made, selfCheck: SELF_CHECK, accept: {}, issuer: null, toolDigest: ZERO, k6: null },
      ...{ subject: options.subject ?? [], configuration: { target: 'x' }, key: options.key ?? null },
    });
    return made;
  }

  beforeAll(async () => {
    release = join(await mkdtemp(join(tmpdir(), 'assay-release-')), 'shop.tgz');
    await writeFile(release, 'release');
    folder = await written(
      changed(() => waived('used')),
      { key: keys.privateKey, subject: [release] },
    );
  });
  afterAll(() => Promise.all(packages.map((made) => rm(made, { recursive: true }))));

  const problems = async (at: string, options: object = {}) =>
    (await verifyPackage(at, { ...NOTHING, ...options })).problems;

  test('that is true is accepted, with its signature and its subject', async () => {
    expect(await problems(folder)).toEqual([]);
    expect(await problems(folder, { publicKey: keys.publicKey, subject: [release] })).toEqual([]);
  });

  test('has the descriptions as its subject where no release is named', async () => {
    const made = await written(conforming());
    const statement: Statement = JSON.parse(await readFile(join(made, 'certificate.json'), 'utf8'));
    expect(statement.subject.map(({ name }) => name)).toEqual(['specs/admin.openapi.yaml', 'specs/ai.openapi.yaml']);
    expect(statement.predicate.verdict).toBe('conforms');
  });

  test('counts as judged what its verdict rests on, and what was observed apart', async () => {
    const page = await readFile(join(await written(conforming()), 'certificate.html'), 'utf8');
    const [, held] = /all (\d+) clauses judged hold/.exec(page) ?? [];
    const [, judged] = /of which (\d+) were judged, and \d+ more observed/.exec(page) ?? [];
    expect(judged).toBe(held);
    expect(held).toBeDefined();
  });

  test('signed by another key, or not signed, is refused where a key is asked for', async () => {
    expect(await problems(folder, { publicKey: stranger.publicKey })).toEqual(['the signature is not that of the key']);
    const made = await written(conforming());
    expect(await problems(made, { publicKey: keys.publicKey })).toMatchObject([expect.stringContaining('not signed')]);
  });

  test('for another release is refused', async () => {
    const other = join(folder, '..', 'other.tgz');
    await writeFile(other, 'another');
    expect(await problems(folder, { subject: [other] })).toHaveLength(1);
    await rm(other);
  });

  type Change = (at: string) => Promise<void>;
  const file = (name: string, change: (text: string) => string): Change => {
    return async (at) => {
      const path = join(at, name);
      await writeFile(path, change(await readFile(path, 'utf8')));
    };
  };
  const certificate = (change: (statement: Open<Statement>) => void, seals = false): Change =>
    file('certificate.json', (text) => {
      const statement = JSON.parse(text);
      change(statement);
      return serialised(seals ? sealed(statement) : statement);
    });
  /** The report changed by somebody who knows to write digest and seal anew. */
  const forged = (change: (report: Open<Report>) => void): Change => {
    return async (at) => {
      await file('report.json', (text) => {
        const report = JSON.parse(text);
        change(report);
        return JSON.stringify(report);
      })(at);
      const sha256 = createHash('sha256')
        .update(await readFile(join(at, 'report.json')))
        .digest('hex');
      await certificate((statement) => {
        for (const one of statement.predicate.evidence) if (one.name === 'report.json') one.digest = { sha256 };
      }, true)(at);
    };
  };

  const TAMPERED: readonly (readonly [string, Change])[] = [
    ['a byte of the report', file('report.json', (text) => text.replace('"seed":42', '"seed":43'))],
    ['a byte of the page', file('certificate.html', (text) => text.replace('Conforms', 'conforms'))],
    ['a byte of the HTML report', file('index.html', (text) => `${text} `)],
    ['a space in the certificate', file('certificate.json', (text) => `${text} `)],
    ['a file removed', (at) => unlink(join(at, 'index.html'))],
    ['a file added', (at) => writeFile(join(at, 'more.json'), '{}')],
    ['a file swapped', (at) => cp(join(at, 'index.html'), join(at, 'report.json'))],
    ['the certificate removed', (at) => unlink(join(at, 'certificate.json'))],
    ['the verdict flipped', certificate(({ predicate }) => Object.assign(predicate, { verdict: 'conforms' }))],
    [
      'the verdict flipped, sealed',
      certificate(({ predicate }) => Object.assign(predicate, { verdict: 'conforms' }), true),
    ],
    ['a row removed', certificate(({ predicate }) => predicate.clauses.splice(3, 1), true)],
    ['a row made to hold', certificate(({ predicate }) => hold(predicate.clauses), true)],
    ['a waiver removed', certificate(({ predicate }) => predicate.waivers.splice(0, 1), true)],
    ['a waiver added', certificate(({ predicate }) => predicate.waivers.push({ ...WAIVER, clause: 'SCH-01' }), true)],
    [
      'a waiver made longer',
      certificate(({ predicate }) => Object.assign(predicate.waivers[0]!, { expires: '2030-01-01' }), true),
    ],
    ['a subject changed', certificate(({ subject }) => Object.assign(subject[0]!.digest, { sha256: ZERO }))],
    ['the tool changed', certificate(({ predicate }) => Object.assign(predicate.tool, { version: '9.9.9' }))],
    [
      'the self-check changed',
      certificate(({ predicate }) => Object.assign(predicate.selfCheck!, { faults: 4, caught: 4 }), true),
    ],
    [
      'the contract renamed',
      certificate(
        ({ predicate }) => Object.assign(predicate.contract, { stated: { name: 'Other', file: null, digest: ZERO } }),
        true,
      ),
    ],
    ['the contract changed', certificate(({ predicate }) => Object.assign(predicate.contract, { digest: ZERO }), true)],
    [
      'a description changed',
      certificate(({ predicate }) => Object.assign(predicate.descriptions[0]!, { sha256: 'f'.repeat(64) }), true),
    ],
    [
      'the predicate of another kind',
      certificate((statement) => Object.assign(statement, { predicateType: 'x' }), true),
    ],
    ['the report without its finding', forged((report) => report.findings.pop())],
    ['the report without a row', forged((report) => report.clauses.splice(7, 1))],
    ['the report with a row made to hold', forged((report) => hold(report.clauses))],
    ['the report with a level lowered', forged((report) => Object.assign(report.clauses[9]!, { level: 'discover' }))],
    ['the report whole again', forged((report) => Object.assign(report.run, { id: 'other' }))],
    ['the report with an operation more', forged((report) => Object.assign(report.counts, { operationsTested: 99 }))],
    [
      'the envelope of another statement',
      file('certificate.dsse.json', (text) => text.replace('"payload": "', '"payload": "e')),
    ],
  ];

  function hold(rows: Open<Report['clauses']>): void {
    for (const row of rows) if (row.id === 'ERR-04') Object.assign(row, { status: 'pass', violations: 0, accepted: 0 });
  }

  test.each(TAMPERED)('with %s is refused', async (_name, change) => {
    const copy = await mkdtemp(join(tmpdir(), 'assay-tampered-'));
    packages.push(copy);
    await cp(folder, copy, { recursive: true });
    expect(await problems(copy)).toEqual([]);
    await change(copy);
    expect(await problems(copy)).not.toEqual([]);
  });
});

test('a certificate that cannot be written whole leaves no part of itself', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-half-'));
  try {
    await writeFile(join(folder, 'report.json'), JSON.stringify(conforming()));
    const request = {
      ...{
        report: conforming(),
        folder,
        selfCheck: SELF_CHECK,
        accept: {},
        issuer: null,
        subject: [],
        configuration: {},
      },
      ...{ toolDigest: ZERO, k6: null, key: 'no key at all' },
    };
    await expect(writeCertificate(request)).rejects.toThrow();
    const left = (await readdir(folder)).filter((name) => name.startsWith('certificate'));
    expect(left).toEqual([]);
    expect(await readFile(join(folder, 'report.json'), 'utf8')).toContain('"verdict"');
  } finally {
    await rm(folder, { recursive: true });
  }
});

describe('a package that is not what a run wrote', () => {
  const own: string[] = [];
  afterAll(() => Promise.all(own.map((one) => rm(one, { recursive: true }))));

  /** A package that is true, signed. */
  async function whole(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'assay-broken-'));
    own.push(folder);
    const report = conforming();
    await writeFile(join(folder, 'report.json'), JSON.stringify(report));
    await writeCertificate({
      ...{
        report,
        folder,
        selfCheck: SELF_CHECK,
        accept: {},
        issuer: null,
        subject: [],
        configuration: { certify: { accept: {} } },
      },
      ...{ toolDigest: ZERO, k6: null, key: keys.privateKey },
    });
    return folder;
  }

  test('is told of whatever one of its files holds, and nothing is thrown', async () => {
    const folder = await whole();
    const options = { publicKey: keys.publicKey, subject: [] };
    expect((await verifyPackage(folder, options)).problems).toEqual([]);
    const names = (await readdir(folder)).sort();
    expect(names).toHaveLength(6);
    for (const name of names) {
      const file = join(folder, name);
      const valid = await readFile(file);
      const isJson = name.endsWith('.json');
      const broken = isJson
        ? fc.oneof(brokenBytes(valid), brokenJson(JSON.parse(valid.toString())))
        : brokenBytes(valid);
      await fc.assert(
        fc.asyncProperty(broken, async (bytes) => {
          await writeFile(file, bytes);
          const { problems } = await verifyPackage(folder, options);
          // An envelope may be written otherwise: what it holds is signed, not its bytes.
          const mayDiffer = name === 'certificate.dsse.json' || Buffer.from(bytes).equals(valid);
          if (!mayDiffer) expect(problems, name).not.toEqual([]);
          for (const problem of problems) expect(problem).not.toMatch(/\n\s+at /);
        }),
        { numRuns: draws(15) },
      );
      await writeFile(file, valid);
    }
    expect((await verifyPackage(folder, options)).problems).toEqual([]);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  test.each([
    ['a link to what has no end', (file: string) => symlink('/dev/zero', file)],
    ['a pipe', async (file: string) => execFileSync('mkfifo', [file])],
    ['a folder', (file: string) => mkdir(file)],
  ])('is refused where a file is %s', async (_what, make) => {
    for (const name of ['report.json', 'certificate.json']) {
      const folder = await whole();
      await rm(join(folder, name));
      await make(join(folder, name));
      const { problems } = await verifyPackage(folder, NOTHING);
      expect(problems.join()).toContain(name);
    }
  });

  test('is refused where its files are swapped', async () => {
    const folder = await whole();
    const [report, certificate] = [join(folder, 'report.json'), join(folder, 'certificate.json')];
    await rename(report, `${report}.x`);
    await rename(certificate, report);
    await rename(`${report}.x`, certificate);
    expect((await verifyPackage(folder, NOTHING)).problems).not.toEqual([]);
  });
});
