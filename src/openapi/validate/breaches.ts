// From ajv's errors to breaches: of the alternatives of a oneOf or anyOf only the closest one speaks, and items that fail
// in the same way are counted, not listed.
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import type { SchemaBreach } from '../model/operation.ts';
import { breachOf } from './breach-words.ts';
import { errorsOf } from './registry.ts';

/** Compiles (or finds) the function of one alternative. */
export type CompileBranch = (branch: unknown) => ValidateFunction;

/** At least one breach for a non-empty list of errors, in the order found. Errors must carry schema and data (`verbose`). */
export function breachesOf(errors: readonly ErrorObject[], compile: CompileBranch): SchemaBreach[] {
  const found = reduced(errors, compile).map(breachOf);
  // What is of another type altogether meets nothing else that is asked of it.
  const wrongTypes = new Set(found.filter(({ keyword }) => keyword === 'type').map(({ pointer }) => pointer));
  return oncePerKind(found.filter(({ keyword, pointer }) => keyword === 'type' || !wrongTypes.has(pointer)));
}

/**
 * Drops what only repeats. ajv reports the errors of every alternative just before the error of the oneOf or anyOf itself;
 * judging the alternatives again, one by one, tells which errors are whose and how many to skip.
 */
function reduced(errors: readonly ErrorObject[], compile: CompileBranch): ErrorObject[] {
  const kept: ErrorObject[][] = [];
  for (let index = errors.length - 1; index >= 0; index -= 1) {
    const error = errors[index] as ErrorObject;
    if (error.keyword === 'if') continue;
    if ((error.keyword !== 'oneOf' && error.keyword !== 'anyOf') || !Array.isArray(error.schema)) {
      kept.push([error]);
      continue;
    }
    const branches = error.schema.map((branch) => branchErrors(branch, error, compile));
    const second = (error.params.passingSchemas as [number, number] | null | undefined)?.[1];
    index -= branches.slice(0, second).reduce((sum, ofBranch) => sum + ofBranch.length, 0);
    kept.push(second === undefined ? closest(error, branches, compile) : [error]);
  }
  return kept.reverse().flat();
}

function branchErrors(branch: unknown, parent: ErrorObject, compile: CompileBranch): readonly ErrorObject[] {
  if (branch === true) return [];
  const validate = compile(branch === false ? { not: {} } : branch);
  const { instancePath, data } = parent;
  const place = { instancePath, parentData: {}, parentDataProperty: '', rootData: {}, dynamicAnchors: {} };
  return errorsOf(validate, data, place);
}

/** What stands between the value and the alternative that it comes closest to. */
function closest(
  parent: ErrorObject,
  branches: readonly (readonly ErrorObject[])[],
  compile: CompileBranch,
): ErrorObject[] {
  const alternatives = branches.map((errors) => reduced(errors, compile));
  const wrongTypes = alternatives.map((errors) =>
    errors.find(({ keyword, instancePath }) => keyword === 'type' && instancePath === parent.instancePath),
  );
  if (alternatives.length === 0) return [parent];
  if (wrongTypes.every((error) => error !== undefined)) {
    const type = [...new Set(wrongTypes.flatMap((error) => (error as ErrorObject).params.type as string | string[]))];
    return [{ ...(wrongTypes[0] as ErrorObject), params: { type } }];
  }
  const scored = alternatives.map((errors, index) => ({
    errors,
    distance: [
      wrongTypes[index] === undefined ? 0 : 1,
      misnamed(errors, parent.instancePath),
      errors.length,
      missing(errors, parent.instancePath),
    ],
  }));
  scored.sort((a, b) => compare(a.distance, b.distance));
  return (scored[0] as (typeof scored)[number]).errors;
}

/** Fields that tell alternatives apart (const or enum, directly below the value) and do not fit. */
function misnamed(errors: readonly ErrorObject[], base: string): number {
  return errors.filter(({ keyword, instancePath }) => {
    return (keyword === 'const' || keyword === 'enum') && !instancePath.slice(base.length + 1).includes('/');
  }).length;
}

/** Members of its own that the value lacks: of two alternatives the one is meant whose members it has, if only with wrong values. */
function missing(errors: readonly ErrorObject[], base: string): number {
  return errors.filter(({ keyword, instancePath }) => keyword === 'required' && instancePath === base).length;
}

function compare(left: readonly number[], right: readonly number[]): number {
  const index = left.findIndex((number, at) => number !== right[at]);
  return index === -1 ? 0 : (left[index] as number) - (right[index] as number);
}

/** The first of all breaches that differ in array indexes, or in which member an object excludes; its message tells how many more there are. */
function oncePerKind(breaches: readonly SchemaBreach[]): SchemaBreach[] {
  const kinds = Map.groupBy(breaches, ({ pointer, keyword, expected }) => {
    const excludes = keyword === 'additionalProperties' || keyword === 'unevaluatedProperties';
    const place = excludes ? pointer.replace(/\/[^/]*$/, '') : pointer;
    return `${place.replace(/\/\d+(?=\/|$)/g, '/*')} ${keyword} ${expected}`;
  });
  return [...kinds.values()].map((alike) => {
    const first = alike[0] as SchemaBreach;
    const places = new Set(alike.map(({ pointer }) => pointer)).size;
    return places === 1 ? first : { ...first, message: `${first.message} (and ${places - 1} more like it)` };
  });
}
