// What `npm run nightly` does, part by part: each is a command that ends with 0 where all is well, and tells its result in its last line.

export interface Part {
  readonly name: string;
  /** What it shows, in a few words of the table. */
  readonly about: string;
  /** Arguments of node. */
  readonly args: readonly string[];
  /** Globs of test files that other parts run (`ASSAY_LEFT_OUT`). */
  readonly leftOut?: readonly string[];
  /** What it mostly does: `waits` runs beside `computes`; what measures time comes after both and is `alone`. */
  readonly lane: 'computes' | 'waits' | 'alone';
}

const FAULTS = 'test/faults/';
const TOLERANCES = 'test/tolerances/';
const CONTRACTS = 'test/contracts/';
const SOCKETS = 'test/real-sockets.';
const WORLDS = 'test/simulated-worlds.';
const DOCUMENTS = ['test/documents-certified.', 'test/documents-executed.'];
/** Those of a part of their own. */
const APART = [FAULTS, TOLERANCES, CONTRACTS, SOCKETS, WORLDS, ...DOCUMENTS].map((start) => `${start}**`);
const WITH_K6 = '.k6.test.';
const NEEDING_K6 = `**/*${WITH_K6}*`;

/** A part of the tests whose paths hold one of the texts; none: of all tests. Linter and types are looked at by one part of a night. */
function tests(
  name: string,
  about: string,
  texts: readonly string[],
  { leftOut = [], lane = 'computes' }: Partial<Pick<Part, 'leftOut' | 'lane'>> = {},
): Part {
  return { name, about, args: ['scripts/test.ts', '--tests-alone', ...texts], leftOut, lane };
}

/** Each lane takes its own in this order: what a change breaks most often comes first. */
export const PARTS: readonly Part[] = [
  {
    name: 'units',
    about: 'linter, types, and every test beside the code',
    args: ['scripts/test.ts'],
    leftOut: ['test/**', 'scripts/**', 'bench/**', NEEDING_K6],
    lane: 'computes',
  },
  tests('house', 'every other test of the whole', [], { leftOut: ['src/**', ...APART, NEEDING_K6] }),
  tests('contracts', "defects and oddities of somebody else's APIs", [CONTRACTS]),
  tests('faults', 'every fault, judged by all clauses', [FAULTS]),
  tests('oddities', 'every allowed oddity, judged by all clauses', [TOLERANCES]),
  tests('worlds', 'a sample of cases in every simulated world', [WORLDS]),
  tests('sockets', 'cases of each family over real sockets', [SOCKETS], { lane: 'waits' }),
  tests('load', 'every load suite, by k6', [WITH_K6], { leftOut: APART, lane: 'alone' }),
  tests('documents', 'the commands of the documents, certificates included', DOCUMENTS, { lane: 'alone' }),
  {
    name: 'leaks',
    about: 'secrets drawn 10,000 times and searched for',
    args: ['test/leaks/main.ts', '--draws', '10000'],
    lane: 'computes',
  },
  {
    name: 'hostile',
    about: '200 rounds against hostile servers',
    args: ['scripts/hostile.ts', '--rounds', '200'],
    lane: 'waits',
  },
  {
    name: 'interrupt',
    about: 'commands ended from outside',
    args: ['scripts/interrupt.ts', '--rounds', '20'],
    lane: 'waits',
  },
  {
    name: 'cuts',
    about: 'whole runs whose connections are cut',
    args: ['scripts/cuts.ts', '--runs', '500'],
    lane: 'waits',
  },
  {
    name: 'burning',
    about: 'capacity while every core burns: right, or told as open',
    args: ['bench/burning.ts'],
    lane: 'alone',
  },
  { name: 'field', about: 'products of others, judged as they come', args: ['bench/field.ts'], lane: 'alone' },
];
