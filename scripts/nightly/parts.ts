// What `npm run nightly` does, part by part: each is a command that ends with 0 where all is well, and tells its result in its last line.

export interface Part {
  readonly name: string;
  /** What it shows, in a few words of the table. */
  readonly about: string;
  /** Arguments of node. */
  readonly args: readonly string[];
}

/** Tables that judge every case by all clauses. */
const TABLES = ['test/faults', 'test/tolerances'];
const DOCUMENTS = ['test/documents-certified', 'test/documents-executed'];
const SOCKETS = 'test/real-sockets';
const WORLDS = 'test/simulated-worlds';
const WITH_K6 = '.k6.test';

/** The part of tests whose paths hold one of the texts; no texts: all tests, with linter and types, which one part of a night checks. */
function tests(name: string, about: string, texts: readonly string[], without: readonly string[] = []): Part {
  const left = without.flatMap((text) => ['--exclude', `**/${text}**`]);
  const alone = texts.length === 0 ? [] : ['--tests-alone'];
  return { name, about, args: ['scripts/test.ts', ...alone, ...texts, ...left] };
}

/** The night takes them in this order: what a change breaks most often comes first. */
export const PARTS: readonly Part[] = [
  tests('tests', 'every other test', [], [...TABLES, ...DOCUMENTS, SOCKETS, WORLDS].concat('*.k6.test.')),
  tests('faults', 'every fault and allowed oddity, judged by all clauses', TABLES),
  tests('worlds', 'a sample of cases in every simulated world', [WORLDS]),
  tests('sockets', 'cases of each family over real sockets', [SOCKETS]),
  tests('load', 'every load suite, by k6', [WITH_K6], DOCUMENTS),
  tests('documents', 'the commands of the documents, certificates included', DOCUMENTS),
  {
    name: 'leaks',
    about: 'secrets drawn 10,000 times and searched for',
    args: ['test/leaks/main.ts', '--draws', '10000'],
  },
  { name: 'hostile', about: '200 rounds against hostile servers', args: ['scripts/hostile.ts', '--rounds', '200'] },
  { name: 'interrupt', about: 'commands ended from outside', args: ['scripts/interrupt.ts', '--rounds', '20'] },
  { name: 'cuts', about: 'whole runs whose connections are cut', args: ['scripts/cuts.ts', '--runs', '500'] },
  { name: 'burning', about: 'capacity while every core burns: right, or told as open', args: ['bench/burning.ts'] },
  { name: 'field', about: 'products of others, judged as they come', args: ['bench/field.ts'] },
];
