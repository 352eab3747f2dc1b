// A value that validates, or the reason why there is none: the one door through which drawn values leave this folder.
import type { Description, SchemaHandle, Validator } from '../openapi/model/operation.ts';
import { TooCostly } from '../openapi/patterns/too-costly.ts';
import { arbitraryOf } from './arbitrary.ts';
import { BeyondMeans, CannotGenerate } from './cannot-generate.ts';
import { draw } from './sampling.ts';
import type { Appetite } from './value/place.ts';

export type Drawn =
  | { readonly ok: true; readonly value: unknown }
  /** `reason` completes "cannot generate a value, because …". */
  | { readonly ok: false; readonly reason: string };

export interface DrawnFrom {
  readonly seed: number;
  /** Tells draws of one seed apart. */
  readonly place: string;
  /** The property or parameter that will hold the value; empty: none. */
  readonly name?: string;
}

/** Tries that hold to examples, preferences and first alternatives, where the validator lets them; then any at all. */
const [MAX_PLAIN_TRIES, MAX_TRIES] = [6, 16];

/** The first value drawn that validates; bounded, and the same for the same seed and place. */
export function drawnValue(description: Description, schema: SchemaHandle, appetite: Appetite, from: DrawnFrom): Drawn {
  const validator = description.validator(schema, 'request');
  if (validator === null) return { ok: false, reason: 'its schema cannot be compiled' };
  const mistrusted = new Set(appetite.mistrusted);
  let [isStrict, reason] = [false, ''];
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    const own = { ...appetiteFor(appetite, attempt, mistrusted), isStrict };
    const arbitrary = arbitraryOf(description, schema.value, own, from.name);
    const drawn = drawnOrFailure(() => draw(arbitrary, from.seed, `${from.place} ${attempt}`), validator);
    if (drawn instanceof Error) {
      reason = drawn.message;
      if (drawn instanceof BeyondMeans) break;
      isStrict = false;
      continue;
    }
    const { value, breaches } = drawn;
    const [first] = breaches;
    if (first === undefined) return { ok: true, value };
    reason = `of ${MAX_TRIES} values drawn none validates: ${first.message}`;
    const isShared = breaches.some(({ keyword }) => keyword === 'oneOf');
    if (isStrict || !isShared) for (const { pointer } of breaches) mistrusted.add(indexless(pointer));
    isStrict ||= isShared;
  }
  return { ok: false, reason };
}

/** The value with its breaches, or the error that tells why it cannot be drawn or judged. */
function drawnOrFailure(drawOne: () => unknown, validator: Validator) {
  try {
    const value = drawOne();
    return { value, breaches: validator(value) };
  } catch (error) {
    if (error instanceof CannotGenerate || error instanceof TooCostly) return error;
    throw error;
  }
}

function appetiteFor(appetite: Appetite, attempt: number, mistrusted: ReadonlySet<string>): Appetite {
  if (attempt < MAX_PLAIN_TRIES) return { ...appetite, mistrusted };
  const optional = attempt % 2 === 0 ? appetite.optional : false;
  return { optional, isVaried: true, mistrusted: new Set(['']) };
}

/** As the places of a drawing are named. */
function indexless(pointer: string): string {
  return pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*');
}
