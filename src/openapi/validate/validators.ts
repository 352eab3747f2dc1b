// Judges of values with their reasons. Whether a value fits is told by a judge; what does not is explained, by a function
// that is compiled when the first such value comes.

import type { JudgeCode } from '../cache/validator-code.ts';
import { isObject } from '../json.ts';
import type { Change, SchemaHandle, Validator } from '../model/operation.ts';
import type { References } from '../read/references.ts';
import { BrokenPlaces } from '../schema/broken-place.ts';
import type { Direction } from '../schema/directed-properties.ts';
import { type FindCode, Judges, NOTHING_ALLOWED, type Report } from './compiled-validators.ts';
import { Explainer } from './explainer.ts';
import type { Judge } from './registry.ts';
import { beginLook } from './spending.ts';

export interface ValidatorOptions {
  readonly references: References;
  /** Told why a schema cannot be compiled. */
  readonly report: Report;
  /** Finds code that an earlier run kept. */
  readonly find: FindCode;
}

export class Validators {
  private readonly options: ValidatorOptions;
  private readonly judges = new Map<Direction, Judges>();
  private readonly explainers = new Map<Direction, Explainer>();
  private made = nothingMade();
  private broken: BrokenPlaces | null = null;

  constructor(options: ValidatorOptions) {
    this.options = options;
  }

  /** Made once per schema and direction; null when the schema cannot be compiled. */
  validator(handle: SchemaHandle, direction: Direction): Validator | null {
    if (handle.value === true) return () => [];
    const schema = isObject(handle.value) ? handle.value : NOTHING_ALLOWED;
    const known = this.made[direction].get(schema);
    if (known !== undefined) return known;
    const judge = this.judge(handle, direction);
    if (judge === null) return null;
    const made = this.explained(judge, () => this.explainerFor(direction).explain(handle, schema));
    this.made[direction].set(schema, made);
    return made;
  }

  /** Whether a value fits; null when the schema cannot be compiled. */
  judge(handle: SchemaHandle, direction: Direction): Judge | null {
    return handle.value === true ? () => true : this.judgesFor(direction).judge(handle);
  }

  /** Whether a request value that one change was made to breaks the schema, and nowhere but there. */
  isBrokenAt(handle: SchemaHandle, change: Change): boolean {
    if (this.judge(handle, 'request')?.(change.value) !== false) return false;
    this.broken ??= new BrokenPlaces(this.options.references, (schema) =>
      this.explainerFor('request').explain(handle, schema),
    );
    return this.broken.isBroken(handle.value, change);
  }

  /** The code of all judges that none was found for. */
  code(): Map<string, JudgeCode> {
    return new Map([...this.judges.values()].flatMap((judges) => [...judges.code()]));
  }

  /** Lets go of all that was compiled: what is asked for from here on is compiled anew. */
  forget(): void {
    this.judges.clear();
    this.explainers.clear();
    this.broken = null;
    this.made = nothingMade();
  }

  /** What does not fit is looked at once more, with reasons; of the two the one with reasons counts. */
  private explained(judge: Judge, explain: () => Validator): Validator {
    let reasons: Validator | null = null;
    return (value) => {
      beginLook();
      if (judge(value)) return [];
      reasons ??= explain();
      return reasons(value);
    };
  }

  private judgesFor(direction: Direction): Judges {
    const { references, find, report } = this.options;
    const judges = this.judges.get(direction) ?? new Judges(references, direction, find, report);
    this.judges.set(direction, judges);
    return judges;
  }

  private explainerFor(direction: Direction): Explainer {
    const { references, report } = this.options;
    const explainer = this.explainers.get(direction) ?? new Explainer(references, direction, report);
    this.explainers.set(direction, explainer);
    return explainer;
  }
}

function nothingMade(): Readonly<Record<Direction, WeakMap<object, Validator>>> {
  return { request: new WeakMap(), response: new WeakMap() };
}
