// How long descriptions that are as bad as they can be hold one turn of the event loop: while it lasts no signal is heard, no
// time limit ends anything, and answers wait. Measured is the computing time of this thread between two turns, which other
// programs on the machine change little.
import { expect, it } from 'vitest';
import { checkConfig } from '../src/config/load.ts';
import { drawnBody } from '../src/generate/bodies.ts';
import { spoilerCandidates } from '../src/generate/spoilers.ts';
import type { Description } from '../src/openapi/model/operation.ts';
import { loadDescription } from '../src/openapi/read/load.ts';
import { prepareOperation } from '../src/run/plan/preparation.ts';
import { rehearse } from '../src/simulation/rehearsal.ts';
import { oneDue } from './programme.ts';

type Schema = Record<string, unknown>;
type Shape = (size: number) => Schema;

const maxBlockMs = 200;
/** What is compiled, or read, for the first time takes longer than ever after: the shorter of so many measurements counts. */
const MEASUREMENTS = 3;

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const each = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const named = (count: number, prefix: string, make: (index: number) => unknown): Schema =>
  Object.fromEntries(each(count, (index) => [`${prefix}${index}`, make(index)]));
const json = (schema: Schema): Schema => ({ content: { 'application/json': { schema } } });

function pathOf(schema: Schema): Schema {
  const answered = { description: 'done', ...json(schema) };
  return {
    get: { responses: { 200: { ...answered, ...json({ type: 'array', items: schema }) } } },
    post: { requestBody: { required: true, ...json(schema) }, responses: { 201: answered } },
  };
}

function serving(schemas: Schema, root: Schema, paths = 1): Schema {
  const components = { schemas };
  return {
    openapi: '3.1.0',
    info: { title: 'Bad', version: '1' },
    paths: named(paths, '/r', () => pathOf(root)),
    components,
  };
}

/** Each branch of each union has its own member, and leads to two others of the unions. */
const unions: Shape = (size) => {
  const branch = (at: number, own: number): Schema => ({
    type: 'object',
    required: [`k${own}`],
    properties: {
      [`k${own}`]: { type: 'string', minLength: 1, maxLength: 9 },
      next: ref(`U${(at + own + 1) % size}`),
      all: { type: 'array', items: ref(`U${own}`) },
    },
  });
  return serving(
    named(size, 'U', (at) => ({ anyOf: each(size, (own) => branch(at, own)) })),
    ref('U0'),
  );
};

const optional: Shape = (size) =>
  serving({ W: { type: 'object', properties: named(size, 'm', () => ({ type: 'string', maxLength: 20 })) } }, ref('W'));

const enumerations: Shape = (size) => {
  const values = (step: number) => ({ properties: { e: { enum: each(size, (at) => `value-${at * step}`) } } });
  return serving({ E: { type: 'object', required: ['e'], allOf: [values(1), values(2)] } }, ref('E'));
};

const operations: Shape = (size) =>
  serving({ T: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } }, ref('T'), size / 2);

const chain: Shape = (size) => {
  const link = (at: number) => ({
    allOf: [
      ...(at + 1 < size ? [ref(`C${at + 1}`)] : []),
      { type: 'object', properties: { [`p${at}`]: { type: 'string' }, up: ref(`C${(at * 7) % size}`) } },
    ],
  });
  return serving(named(size, 'C', link), ref('C0'));
};

const cycle: Shape = (size) => {
  const link = (at: number) => ({
    type: 'object',
    required: at % 50 === 0 ? [] : ['next'],
    properties: { next: ref(`D${(at + 1) % size}`), back: ref(`D${(at * 17) % size}`) },
  });
  return serving(named(size, 'D', link), ref('D1'));
};

const patterns: Shape = (size) => {
  const text = (pattern: string) => ({ type: 'string', pattern });
  const properties = {
    a: text('^(a+)+$'),
    b: text('^(([a-z])+.)+[A-Z]([a-z])+$'),
    c: text(`^(x|xx|xxx){10,40}y{0,${size}}$`),
    d: text('^(?=.*[A-Z])(?=.*\\d)(?=.*[a-z]).{8,64}$'),
    e: text('(.*)*(.*)*(.*)*!'),
    f: text(`^[\\p{L}]{1,${size}}([0-9]{1,${size}}){1,${size}}$`),
  };
  return serving({ P: { type: 'object', required: ['a', 'b'], properties } }, ref('P'));
};

/** What a request must look like, as servers of stubs take it: every member by one of many matchers, which hold others. */
const stubs: Shape = (size) => {
  const list = { type: 'array', items: ref('M') };
  const matcher = (at: number) => ({
    type: 'object',
    required: [`kind${at}`],
    additionalProperties: false,
    properties: { [`kind${at}`]: { type: 'string', minLength: 1 }, and: list, or: list, not: ref('M') },
  });
  const member = { oneOf: [ref('M'), { type: 'object', additionalProperties: ref('M') }, list] };
  const request = { type: 'object', properties: named(size, 'member', () => member) };
  return serving({ M: { oneOf: each(size, matcher) }, Q: request }, ref('Q'));
};

const SHAPES: readonly (readonly [name: string, shape: Shape, size: number])[] = [
  ['unions that refer to one another', unions, 20],
  ['optional members', optional, 200],
  ['values of an enumeration', enumerations, 10_000],
  ['operations', operations, 2000],
  ['links of allOf', chain, 40],
  ['links of a circle of references', cycle, 60],
  ['repetitions in patterns', patterns, 100],
  ['matchers that hold matchers', stubs, 14],
];

/** Of which a whole run is rehearsed: those that have the most to choose from. */
const REHEARSED: readonly Shape[] = [unions, optional, enumerations, operations, stubs];
/** Requests of such a run: the first reach operations, for the others experiments are chosen among all that there are. */
const BUDGET = 60;

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function computedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The longest time between two turns of the event loop while the work lasts. */
async function longestBlockMs(work: () => Promise<unknown>): Promise<number> {
  let [longest, isOver] = [0, false];
  const watch = async (): Promise<void> => {
    for (let before = computedMs(); !isOver; before = computedMs()) {
      await turn();
      longest = Math.max(longest, computedMs() - before);
    }
  };
  const watching = watch();
  await turn();
  await work().finally(() => {
    isOver = true;
  });
  await watching;
  return longest;
}

const load = (document: Schema): Promise<Description> =>
  loadDescription({ service: 'bad', file: 'bad.json', text: JSON.stringify(document), remoteRefs: [] });

/** All that is made for the first operations, each in a turn of its own, as each look at what may be a spoiler. */
async function generate(description: Description): Promise<void> {
  for (const operation of description.operations.slice(0, 2)) {
    await prepareOperation(description, operation, turn);
    const schema = operation.requestBody?.content[0]?.schema ?? null;
    if (schema === null) continue;
    for (const fullness of ['example', 'required', 'full'] as const) {
      const body = drawnBody(description, operation, fullness, { seed: 1, nonce: { run: 'r', serial: fullness } });
      await turn();
      const candidates = body?.ok === true ? spoilerCandidates(description, schema, body.value) : [];
      for (const { isClean: _looked } of candidates) await turn();
    }
  }
}

/** A run in memory: operations are reached, experiments are chosen, and the first of them are performed. */
async function plan(description: Description): Promise<void> {
  const raw = {
    ...{ target: { baseUrl: 'http://127.0.0.1:1', environment: 'local' }, contract: 'openapi' },
    ...{ services: { bad: { spec: 'bad.json' } }, keys: [], mutations: 'allow' },
  };
  const config = checkConfig(raw, 'assay.yaml', { baseUrl: null, env: {}, environment: null });
  const options = {
    ...{ out: null, services: [], operations: [], clauses: [], seed: 1, runId: 'unblocked' },
    ...{ budget: BUDGET, timeLimitSeconds: null },
  };
  const stop = new AbortController().signal;
  await rehearse({ config, options, descriptions: [description], startMs: 0, stop });
}

async function shortest(measure: () => Promise<number>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let times = 0; times < MEASUREMENTS && least > maxBlockMs; times += 1) least = Math.min(least, await measure());
  return Math.round(least);
}

// By day one of the shapes.
it.each(oneDue(SHAPES))('%s never hold the event loop for long', async (name, shape, size) => {
  const document = shape(size);
  const rehearsed = async () => {
    const description = await load(document);
    return longestBlockMs(() => plan(description));
  };
  const parts = {
    load: () => longestBlockMs(() => load(document)),
    generate: async () => {
      const description = await load(document);
      return longestBlockMs(() => generate(description));
    },
    ...(REHEARSED.includes(shape) ? { 'reach and plan': rehearsed } : {}),
  };
  for (const [part, measure] of Object.entries(parts)) {
    const ms = await shortest(measure);
    expect.soft(ms, `${part} of ${size} ${name}: the longest block is ${ms} ms`).toBeLessThanOrEqual(maxBlockMs);
  }
});
