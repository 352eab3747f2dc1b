// A judge as text (ajv's standalone code) and as V8's machine code for that text, and the function back from them.
import { createRequire } from 'node:module';
import vm from 'node:vm';
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { GIVEN, GIVEN_NAME } from '../validate/given.ts';
import { JUDGE_OF, type Judge, type JudgeOf } from '../validate/registry.ts';

export interface JudgeCode {
  readonly text: string;
  /** Taken by the V8 that made it for this very text; any other compiles the text anew. */
  readonly machine: Buffer;
}

const require = createRequire(import.meta.url);
const FILE = 'assay-judge.js';

/** Beyond this, reading the code is no faster than compiling: alternatives of alternatives are all written into it. */
const MAX_CHARACTERS = 100_000;

/** The code of what this ajv compiled, which must be one that judges alone; null where it is too long to be worth keeping. */
export function codeOf(ajv: Ajv2020, judge: ValidateFunction): JudgeCode | null {
  const body = standalone.default(ajv, judge);
  if (body.length > MAX_CHARACTERS) return null;
  const text = `(function (require, ${JUDGE_OF}, ${GIVEN_NAME}) { const module = { exports: {} };\n${body}\nreturn module.exports; })`;
  const script = new vm.Script(text, { filename: FILE });
  // V8 keeps the functions that ran.
  const made = started(script, () => () => true);
  for (const value of [{}, [{}]]) made(value);
  return { text, machine: script.createCachedData() };
}

/** The function. Throws where the text is no such code. */
export function judgeFrom({ text, machine }: JudgeCode, judgeOf: JudgeOf): Judge {
  return started(new vm.Script(text, { filename: FILE, cachedData: machine }), judgeOf);
}

function started(script: vm.Script, judgeOf: JudgeOf): Judge {
  return script.runInThisContext()(ofAjv, judgeOf, GIVEN) as Judge;
}

/** Modules that standalone code asks for: functions of ajv's runtime and of its formats. */
function ofAjv(name: string): unknown {
  if (!/^ajv(-formats)?\/dist\/[\w/-]+$/.test(name)) throw new Error(`kept code asks for ${name}`);
  return require(name);
}
