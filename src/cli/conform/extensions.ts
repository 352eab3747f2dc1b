// The checks and reporters that a configuration brings: those that stand in it, and those of the files that `extend` names.
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BroughtCheck, OwnCheck } from '../../checks/own-check.ts';
import type { Config } from '../../config/config.ts';
import { type ConfigProblem, configError, UsageError } from '../../config/errors.ts';
import { suggestion } from '../../config/nearest.ts';
import { importOwn } from '../../config/own-package.ts';
import { CLAUSES, isClauseId } from '../../contract/clauses.ts';
import { hasClause } from '../../contract/contract.ts';
import { commandOf } from '../../contract/judged-by.ts';
import { isOwnClauseId } from '../../contract/own-clauses.ts';
import type { Contract } from '../../contract/terms.ts';
import type { BroughtReporter, OwnReporter } from '../../reporters/own-reporter.ts';
import type { BroughtHook, OwnHook } from './hooks.ts';

/** The default export of a module that `extend` names. */
export interface Extension {
  readonly checks?: readonly OwnCheck[];
  readonly reporters?: readonly OwnReporter[];
  readonly hooks?: readonly OwnHook[];
}

export interface Extensions {
  readonly checks: readonly BroughtCheck[];
  readonly reporters: readonly BroughtReporter[];
  readonly hooks: readonly BroughtHook[];
}

export const NO_EXTENSIONS: Extensions = { checks: [], reporters: [], hooks: [] };

/** The checks, reporters and hooks of one file, unchecked. */
interface Part {
  /** As the user names it. */
  readonly file: string;
  readonly checks: readonly unknown[];
  readonly reporters: readonly unknown[];
  readonly hooks: readonly unknown[];
}

const HOW = 'docs/extending.md shows how a check and a reporter look';

/** All of them, in the order stated. Throws UsageError for a file that cannot be imported, and with every problem of what they hold. */
export async function extensionsOf({ own, file, folder, stated, promote }: Config): Promise<Extensions> {
  const { extend, ...brought } = own;
  const parts: Part[] = [{ ...brought, file: file === null ? 'the configuration' : basename(file) }];
  for (const path of extend) parts.push(await imported(path, folder));
  for (const part of parts) {
    const [first, ...rest] = problemsOf(part);
    if (first !== undefined) throw configError(part.file, [first, ...rest], HOW);
  }
  const checks = parts.flatMap((part) => part.checks.map((check) => ({ check: check as OwnCheck, file: part.file })));
  mustBeDistinct(checks);
  mustBeKnown('promote', promote, checks);
  mustBeInContract(stated, promote);
  return {
    checks,
    reporters: parts.flatMap((part) =>
      part.reporters.map((reporter) => ({ reporter: reporter as OwnReporter, file: part.file })),
    ),
    hooks: parts.flatMap((part) => part.hooks.map((hook) => ({ hook: hook as OwnHook, file: part.file }))),
  };
}

/** Throws UsageError where a clause is promoted that no command judges under the contract. */
function mustBeInContract(stated: Contract, promote: readonly string[]): void {
  const outside = promote.filter((id) => isClauseId(id) && !hasClause(stated, id) && commandOf(id) === null);
  if (outside.length === 0) return;
  throw new UsageError(
    'ASSAY_CONFIG_VALUE_INVALID',
    `promote: ${outside.join(', ')} can never be judged: ${outside.length === 1 ? 'it is' : 'they are'} not in contract: ${stated.name}`,
    'leave out what docs/any-api.md does not list',
  );
}

/** Throws UsageError where a clause is named that neither the contract nor the configuration has. */
export function mustBeKnown(where: string, clauses: readonly string[], checks: readonly BroughtCheck[]): void {
  const own = checks.map(({ check }) => check.clause);
  const unknown = clauses.find((id) => !isClauseId(id) && !own.includes(id));
  if (unknown === undefined) return;
  throw new UsageError(
    'ASSAY_CLAUSE_UNKNOWN',
    `${where}: no check of the configuration is on ${unknown}${suggestion(unknown, [...own, ...CLAUSES.map(({ id }) => id)])}`,
    own.length === 0
      ? 'name a clause of the contract: `assay clauses` prints all of them'
      : `name a clause of the contract, or ${own.join(', ')}`,
  );
}

async function imported(path: string, folder: string | null): Promise<Part> {
  const url = pathToFileURL(resolve(folder ?? '.', path)).href;
  const module = await importOwn(url).catch((error: Error) => {
    throw unusable(path, `cannot be imported: ${error.message.split('\n', 1)[0]}`, `node ${path} shows where`);
  });
  const extension: unknown = await module.default;
  if (typeof extension !== 'object' || extension === null)
    throw unusable(path, 'has no default export of checks or reporters', 'export default { checks: [ … ] }');
  const { checks = [], reporters = [], hooks = [] } = extension as Record<string, unknown>;
  if (!Array.isArray(checks) || !Array.isArray(reporters) || !Array.isArray(hooks))
    throw unusable(path, 'checks, reporters and hooks are lists', 'export default { checks: [ … ], hooks: [ … ] }');
  return { file: path, checks, reporters, hooks };
}

function unusable(path: string, what: string, hint: string): UsageError {
  return new UsageError('ASSAY_CONFIG_UNREADABLE', `extend: ${path} ${what}`, hint);
}

function problemsOf({ checks, reporters, hooks }: Part): readonly ConfigProblem[] {
  return [
    ...checks.flatMap((check, at) => checkProblems(check).map((problem) => placed(`checks[${at}]`, problem))),
    ...reporters.flatMap((one, at) => reporterProblems(one).map((problem) => placed(`reporters[${at}]`, problem))),
    ...hooks.flatMap((one, at) => hookProblems(one).map((problem) => placed(`hooks[${at}]`, problem))),
  ];
}

function placed(place: string, [member, message]: Problem): ConfigProblem {
  const key = member === '' ? place : `${place}.${member}`;
  return { code: 'ASSAY_CONFIG_VALUE_INVALID', key, message };
}

/** A member, '' for the whole, and what is expected there. */
type Problem = readonly [member: string, message: string];

function checkProblems(value: unknown): readonly Problem[] {
  if (typeof value !== 'object' || value === null)
    return [['', 'expected a check: an object with clause, level, text and judge (files go into extend)']];
  const { clause, level, text, judge, judgeDescription, judgeItem, applies } = value as Record<string, unknown>;
  const judges = [judge, judgeDescription, judgeItem].filter((one) => one !== undefined);
  return [
    ...(typeof clause === 'string' && isOwnClauseId(clause)
      ? []
      : [['clause', "expected an id of the user's own, such as X-01 or X-CACHE-01"] as const]),
    ...(level === 'must' || level === 'should' || level === 'discover'
      ? []
      : [['level', 'expected one of must, should, discover'] as const]),
    ...(isText(text) ? [] : [['text', 'expected a sentence: what must hold'] as const]),
    ...(judges.length === 1 && typeof judges[0] === 'function'
      ? []
      : [['judge', 'expected exactly one function: judge (of an exchange), judgeDescription or judgeItem'] as const]),
    ...(applies === undefined || typeof applies === 'function' ? [] : [['applies', 'expected a function'] as const]),
  ];
}

function reporterProblems(value: unknown): readonly Problem[] {
  if (typeof value !== 'object' || value === null) return [['', 'expected a reporter: an object with name and report']];
  const { name, report } = value as Record<string, unknown>;
  return [
    ...(isText(name) ? [] : [['name', 'expected a name'] as const]),
    ...(typeof report === 'function' ? [] : [['report', 'expected a function'] as const]),
  ];
}

function hookProblems(value: unknown): readonly Problem[] {
  if (typeof value !== 'object' || value === null)
    return [
      ['', 'expected a hook: an object with name and at least one of beforeRun, afterRun, beforeCall and afterCall'],
    ];
  const { name, operation, beforeRun, afterRun, beforeCall, afterCall } = value as Record<string, unknown>;
  const functions = { beforeRun, afterRun, beforeCall, afterCall };
  const stated = Object.entries(functions).filter(([, one]) => one !== undefined);
  return [
    ...(isText(name) ? [] : [['name', 'expected a name'] as const]),
    ...(stated.length > 0 ? [] : [['', `expected at least one of ${Object.keys(functions).join(', ')}`] as const]),
    ...(operation === undefined || isText(operation)
      ? []
      : [['operation', 'expected a glob over operations'] as const]),
    ...stated.flatMap(([member, one]) => (typeof one === 'function' ? [] : [[member, 'expected a function'] as const])),
  ];
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

function mustBeDistinct(checks: readonly BroughtCheck[]): void {
  for (const [at, { check, file }] of checks.entries()) {
    const first = checks.findIndex((other) => other.check.clause === check.clause);
    if (first === at) continue;
    throw new UsageError(
      'ASSAY_CONFIG_VALUE_INVALID',
      `${file}: a check on ${check.clause} stands in ${checks[first]?.file} already`,
      'give each check a clause of its own',
    );
  }
}
