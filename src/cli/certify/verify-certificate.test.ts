// Tests that `--require` refuses a genuine certificate that lacks what is required.
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { changed, conforming, SELF_CHECK, waived, ZERO } from '../../../test/support/certified-reports.ts';
import { writeCertificate } from '../../certify/write.ts';
import { verifyCertificate } from './verify-certificate.ts';

test.each([
  ['conforms', conforming(), undefined, 0, 'Authentic: yes. Verdict: conforms.'],
  ['conforms', conforming(), 'conforms', 0, 'Authentic: yes. Verdict: conforms, as required.'],
  ['is waived', changed(() => waived('used')), 'conforms-with-waivers', 0, 'conforms-with-waivers, as required.'],
  ['is waived', changed(() => waived('used')), 'conforms', 1, 'conforms-with-waivers, required: conforms.'],
  ['has no verdict', changed(() => ({ verdict: 'none' })), undefined, 0, 'no-verdict (--require conforms would'],
  ['has no verdict', changed(() => ({ verdict: 'none' })), 'conforms', 3, 'no-verdict, required: conforms.'],
] as const)('a certificate that %s ends as is required of it (%#)', async (_, report, required, code, last) => {
  const made = await mkdtemp(join(tmpdir(), 'assay-required-'));
  await writeFile(join(made, 'report.json'), JSON.stringify(report));
  await writeCertificate({
    ...{ report, folder: made, selfCheck: SELF_CHECK, accept: {}, issuer: null, toolDigest: ZERO, k6: null },
    ...{ subject: [], configuration: { target: 'x' }, key: null },
  });
  const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const flags = { subject: [], ...(required === undefined ? {} : { require: required }) };
  expect(await verifyCertificate([made], flags)).toBe(code);
  expect(String(printed.mock.lastCall?.[0]).trimEnd().split('\n').at(-1)).toContain(last);
  printed.mockRestore();
});
