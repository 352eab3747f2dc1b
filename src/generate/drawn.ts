// A value that validates, or the reason why there is none: the one door through which drawn values leave this folder.
import type { Description, SchemaHandle } from '../openapi/model/operation.ts';
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
const [PLAIN, TRIES] = [6, 16];

/** The first value drawn that validates; bounded, and the same for the same seed and place. */
export function drawnValue(description: Description, schema: SchemaHandle, appetite: Appetite, from: DrawnFrom): Drawn {
  const validator = description.validator(schema, 'request');
  const mistrusted = new Set<string>();
  let isStrict = false;
  let reason = 'its schema cannot be compiled';
  for (let attempt = 0; attempt < TRIES && validator !== null; attempt += 1) {
    const arbitrary = arbitraryOf(
      description,
      schema.value,
      { ...appetiteFor(appetite, attempt, mistrusted), isStrict },
      from.name,
    );
    try {
      const value = draw(arbitrary, from.seed, `${from.place} ${attempt}`);
      const breaches = validator(value);
      const [first] = breaches;
      if (first === undefined) return { ok: true, value };
      reason = `of ${TRIES} values drawn none validates: ${first.message}`;
      const isShared = breaches.some(({ keyword }) => keyword === 'oneOf');
      if (isStrict || !isShared) for (const { pointer } of breaches) mistrusted.add(indexless(pointer));
      isStrict ||= isShared;
    } catch (error) {
      if (!(error instanceof CannotGenerate || error instanceof TooCostly)) throw error;
      reason = error.message;
      if (error instanceof BeyondMeans) break;
      isStrict = false;
    }
  }
  return { ok: false, reason };
}

function appetiteFor(appetite: Appetite, attempt: number, mistrusted: ReadonlySet<string>): Appetite {
  if (attempt < PLAIN) return { ...appetite, mistrusted };
  const optional = attempt % 2 === 0 ? appetite.optional : false;
  return { optional, isVaried: true, mistrusted: new Set(['']) };
}

/** As the places of a drawing are named. */
function indexless(pointer: string): string {
  return pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*');
}
