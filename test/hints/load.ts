// Messages about load, and about instances of k6 elsewhere.
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newAuthority } from '../networks/authority.ts';
import { configured, type HintCase } from './case.ts';

const LOCAL = configured('', { contract: 'commerce' });
/** Programs that only end, one with what it says. */
const program =
  (name: string, text: string) =>
  (folder: string): void => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(folder, name), 0o755);
  };
const K6 = 'echo "k6 v1.8.1 (go1.26, linux/amd64)"';
const both =
  (kubectl: string) =>
  (folder: string): void => {
    program('k6', K6)(folder);
    program('kubectl', kubectl)(folder);
  };
const BUNDLE = 'load capacity --distributed bundle --rate 300 --seconds 60';
const FACTS = {
  suite: 'capacity',
  instances: 2,
  baseUrl: 'http://127.0.0.1:9',
  services: {},
  ratePerSecond: 300,
  rampSeconds: 6,
  seconds: 60,
};
/** A configuration with a client certificate. */
const certified = async (folder: string): Promise<void> => {
  const { cert, key } = await (await newAuthority()).issue({ names: ['assay'] });
  const target = { baseUrl: 'http://127.0.0.1:9', environment: 'local', tls: { cert, key } };
  writeFileSync(join(folder, 'assay.config.json'), JSON.stringify({ target }));
};

export const LOAD: readonly HintCase[] = [
  {
    line: 'load ceiling --collect bundle',
    says: '--collect goes without a suite',
    hint: 'assay load --collect bundle',
  },
  { line: 'load capacity --from a --distributed b', says: '--from judges samples', hint: 'use one of the two' },
  { line: 'load capacity --namespace a', says: '--namespace goes with --cluster', hint: '--cluster' },
  {
    line: 'load capacity --instances 3',
    says: '--instances goes with --distributed or --cluster',
    hint: '--instances 3',
  },
  { line: 'load soak --cluster a', says: 'only a search for capacity', hint: '--cluster' },
  { line: 'load --collect none', says: 'none is no bundle that --distributed wrote', hint: 'name the folder' },
  { line: 'load ceiling --distributed bundle', says: 'assay load ceiling cannot be shared', hint: '--rate 300' },
  { line: 'load capacity --distributed bundle', says: 'needs --rate and --seconds', hint: '--rate 300' },
  {
    line: BUNDLE,
    files: { 'bundle/bundle.json': '{}' },
    says: 'bundle holds a bundle already',
    hint: 'another folder',
  },
  { line: `${BUNDLE} --embedded`, says: 'the embedded platform ends with this command', hint: '`assay platform`' },
  {
    line: 'load capacity --distributed bundle --rate 900000 --seconds 60',
    files: LOCAL,
    prepare: program('k6', K6),
    says: 'load.caps.ratePerSecond allows',
    hint: 'raise the limit',
  },
  { line: 'load ceiling --resume reports/main', says: 'holds no samples of load', hint: '`assay load ceiling`' },
  { line: 'load soak --from none', says: 'cannot be made from samples', hint: 'leave --from away' },
  {
    line: 'load ratelimit',
    files: configured(),
    says: 'assay load ratelimit judges clauses on limits, and the contract openapi states none',
    hint: 'extends: [ratelimit-ietf]',
  },
  { line: 'load ceiling --from none', says: 'none holds no samples of load', hint: '`assay load ceiling`' },
  {
    line: 'load ceiling --from a',
    files: { 'a/load/operations.json': 'x' },
    says: 'does not say on which operations',
    hint: 'name the folder',
  },
  {
    line: 'load ceiling',
    files: configured('', { baseUrl: 'http://shop.example.com', contract: 'commerce' }),
    says: 'load is not allowed to shop.example.com',
    hint: 'load: { allow: [shop.example.com] }',
  },
  {
    line: 'load ceiling',
    code: 3,
    files: LOCAL,
    env: { ASSAY_K6: '/none/k6' },
    says: 'is needed and missing',
    hint: 'go install',
  },
  {
    line: 'load spike',
    files: configured('load: { spike: { base: 40, peak: 30 } }', { contract: 'commerce' }),
    env: { ASSAY_K6: './k6' },
    prepare: program('k6', K6),
    says: 'load.spike.peak is 30',
    hint: 'a peak of 200',
  },
  {
    line: 'load capacity --cluster a',
    code: 3,
    files: LOCAL,
    env: { PATH: '/none', ASSAY_K6: './k6' },
    prepare: program('k6', K6),
    says: '--cluster: kubectl',
    hint: 'install kubectl',
  },
  {
    line: 'load capacity --cluster a',
    files: LOCAL,
    env: { PATH: '.:/bin:/usr/bin', ASSAY_K6: './k6' },
    prepare: both('exit 1'),
    says: 'kubectl knows no context a',
    hint: 'get-contexts',
  },
  {
    line: 'load capacity --cluster a',
    code: 3,
    files: LOCAL,
    env: { PATH: '.:/bin:/usr/bin', ASSAY_K6: './k6' },
    prepare: both(
      '[ $1 = get ] && echo nothing there >&2 && exit 1; case "$*" in *testruns*) echo no such resource >&2; exit 1;; esac',
    ),
    says: '--cluster: ',
    hint: 'k6-operator',
  },
  { line: BUNDLE, prepare: certified, says: 'a client certificate (target.tls.cert)', hint: 'send from one machine' },
  {
    line: BUNDLE,
    code: 3,
    files: LOCAL,
    env: { ASSAY_K6: './k6' },
    prepare: program('k6', K6),
    says: 'nothing answers at the target',
    hint: 'no bundle was written',
  },
  {
    line: 'load --collect bundle',
    code: 3,
    files: {
      'bundle/bundle.json': JSON.stringify(FACTS),
      'bundle/plan.json': JSON.stringify({ run: 'a', step: 'b', legs: [] }),
    },
    says: 'instances 1, 2 of 2 are missing',
    hint: 'must hold the samples of all 2 instances',
  },
];
