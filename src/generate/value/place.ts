// Shared parts of a drawing: the place of a value, the wishes for it, and the way to draw values inside it.
import type { Chance } from '../chance.ts';
import type { Conjunction, Schemas } from '../schema/schemas.ts';
import type { SchemaObject } from '../schema-shape.ts';

export interface Appetite {
  /** Optional members: none, or all of them. */
  readonly optional: boolean;
  /** A value the caller prefers for a named string; undefined: none. */
  readonly preferred?: (name: string, shape: SchemaObject) => unknown;
  /** An example of the whole value: members that hold are taken from it. */
  readonly example?: unknown;
  /** No alternative of a oneOf that another one admits as well. */
  readonly isStrict?: boolean;
  /** Any alternative by chance, not the first that will do. */
  readonly isVaried?: boolean;
  /** Schemas that the whole value must fit as well. */
  readonly beside?: readonly unknown[];
  /** Pointers (indexes as "*") at which, and below which, neither examples nor preferences are to be trusted. */
  readonly mistrusted?: ReadonlySet<string>;
}

/** Where a value stands. */
export interface Place {
  /** Name of the nearest member above. */
  readonly name: string;
  /** JSON pointer, indexes as "*". */
  readonly pointer: string;
  readonly depth: number;
  /** Levels that the value may have. */
  readonly room: number;
}

/** The drawing, as the objects and arrays that are part of it need it. */
export interface Draws {
  readonly schemas: Schemas;
  readonly chance: Chance;
  /** Members drawn so far. */
  members: number;
  /** `hint`: an example's value at this place; undefined: none. Throws CannotGenerate. */
  value(conjunction: Conjunction, place: Place, hint: unknown): unknown;
  /** The same without any example or preference; `isOther`: optional members where there would be none, and none where there would be. */
  withoutExamples(isOther: boolean): Draws;
  /** Tells whether more than what is required may be drawn here. */
  isGenerous(place: Place): boolean;
  /** Tells whether the place may go as deep as it likes. */
  isRoomy(place: Place): boolean;
  /** The place of an inner value, in the room that is left for it. */
  inner(place: Place, conjunction: Conjunction, token: string, name?: string): Place;
  /** Levels that an inner value may have. */
  roomBelow(place: Place, conjunction: Conjunction): number;
}
