// The valid targets of an operation as changes to a request that is known to be served: where, and to which value.
import { isSafe } from '../../exchange/methods.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { TooCostly } from '../../openapi/patterns/too-costly.ts';
import { CannotGenerate } from '../cannot-generate.ts';
import { drawnBy } from '../chance.ts';
import { type Nonce, preferredValue } from '../preferred.ts';
import { draw } from '../sampling.ts';
import type { Form } from '../schema/form.ts';
import { Schemas } from '../schema/schemas.ts';
import type { SchemaObject } from '../schema-shape.ts';
import { Drawing } from '../value/drawing.ts';
import { isExample, isHit } from './exercised.ts';
import { isVariable, type OperationInputs } from './operation-inputs.ts';
import type { InputPlace, ValidTarget } from './places.ts';
import { parameterKey } from './sent.ts';
import type { Target } from './target.ts';

export const BODY = 'body';
/** In place of a value: nothing stands there. */
export const ABSENT = Symbol('absent');

export interface Candidate {
  readonly target: Target;
  /** "body", or the key of a parameter. */
  readonly root: string;
  /** Tokens below the root; "0" for the item of a list. */
  readonly path: readonly string[];
  /** The value to put there, in the order of attempts; ABSENT: to be taken away. */
  readonly values: (from: DrawFrom) => Iterable<unknown>;
  /** True where it chooses one of several branches: what lies inside of one needs that one first. */
  readonly isBranch: boolean;
  /** Tells whether the value at its place is one that the target asks for; undefined: nothing stands there. */
  readonly isHit: (value: unknown) => boolean;
}

export interface DrawFrom {
  readonly seed: number;
  readonly nonce: Nonce;
}

const MAX_ATTEMPTS = 3;
/** Names of what refers to things that exist: a drawn value would name nothing, or what others made. */
const REFERENCE = /(^|_)(id|uuid|guid)s?$|I[dD]s?$/;

/** Every valid target that a change to a served request can bring about, the outer places before the inner. */
export function candidatesOf(inputs: OperationInputs): readonly Candidate[] {
  const { parameters, body, examples } = inputs;
  const ofParameters = parameters.flatMap(({ parameter, spot }) =>
    isVariable(parameter) ? ofSpot(inputs, spot, parameterKey(parameter), []) : [],
  );
  const ofBody = body === null ? [] : ofSpot(inputs, body.spot, BODY, []);
  const shown = examples
    .filter(({ parameter }) => parameter === null || isVariable(parameter))
    .map((example): Candidate => {
      const { target, value, parameter } = example;
      const root = parameter === null ? BODY : parameterKey(parameter);
      return {
        target,
        root,
        path: [],
        isBranch: false,
        values: () => [value],
        isHit: (given) => isExample(example, given),
      };
    });
  return [...ofParameters, ...ofBody, ...shown];
}

function ofSpot(
  inputs: OperationInputs,
  spot: InputPlace,
  root: string,
  path: readonly string[],
): readonly Candidate[] {
  const { description, operation } = inputs;
  const own = spot.targets.flatMap((target): readonly Candidate[] => {
    if ((root === BODY || !isSafe(operation.method)) && isReference(spot, target)) return [];
    const isOwn = (value: unknown): boolean => isHit(Schemas.of(description), target, value);
    const isBranch = typeof target.test === 'object' && 'branch' in target.test;
    return [
      { target, root, path, isBranch, values: (from) => valuesOf(description, spot, target, from), isHit: isOwn },
    ];
  });
  const members = [...spot.members, ...spot.unnamed].flatMap(([name, member]) =>
    ofSpot(inputs, member, root, [...path, name]),
  );
  return [...own, ...members, ...(spot.item === null ? [] : ofSpot(inputs, spot.item, root, [...path, '0']))];
}

function isReference({ name, forms }: InputPlace, { test, kind }: ValidTarget): boolean {
  const isListed = forms.some(({ values }) => values !== null);
  return test !== 'absent' && kind !== 'null' && kind !== 'empty' && REFERENCE.test(name) && !isListed;
}

function* valuesOf(
  description: Description,
  spot: InputPlace,
  { at, kind, test }: ValidTarget,
  from: DrawFrom,
): Iterable<unknown> {
  if (test === 'absent') {
    yield ABSENT;
    return;
  }
  const forms = test === 'present' ? spot.forms : 'form' in test ? [test.form] : [test.branch.form];
  for (const form of forms.slice(0, MAX_ATTEMPTS)) {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const value = drawn(description, form, spot.name, from, `${at} ${kind} ${attempt}`, attempt % 2 === 0);
      if (value !== ABSENT) yield value;
    }
  }
}

/** A value of the form; ABSENT where none is found. New in each run, as what must be unique has to be. */
function drawn(
  description: Description,
  form: Form,
  name: string,
  { seed, nonce }: DrawFrom,
  place: string,
  optional: boolean,
): unknown {
  const preferred = (member: string, shape: SchemaObject): unknown => preferredValue(member, shape, nonce);
  const schemas = Schemas.of(description);
  const appetite = { optional, preferred };
  try {
    const arbitrary = drawnBy((chance) => new Drawing(schemas, chance, appetite).rootOf(form, name));
    return draw(arbitrary, seed, `${place} ${nonce.run} ${nonce.serial}`);
  } catch (error) {
    if (error instanceof CannotGenerate || error instanceof TooCostly || error instanceof RangeError) return ABSENT;
    throw error;
  }
}
