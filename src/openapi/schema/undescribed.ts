// Properties of a value that its schema allows without mentioning them: drift between description and service (SCH-09).

import { appended } from '../json.ts';
import type { SchemaHandle } from '../model/operation.ts';
import type { Located, References } from '../read/references.ts';
import type { Validators } from '../validate/validators.ts';
import type { Direction } from './directed-properties.ts';
import { DescribedMembers } from './member-schemas.ts';

/** JSON pointers, each once, in the order of the value. A schema that mentions no property describes nothing and yields none. */
export type Undescribed = (schema: SchemaHandle, value: unknown) => string[];

/** The search over the schemas of one document, for values that are sent or answered; what it reads off a schema it reads once. */
export function createUndescribed(references: References, validators: Validators, direction: Direction): Undescribed {
  const members = new DescribedMembers(references, (schema, value) => {
    return validators.judge(schema, direction)?.(value) === true;
  });
  return (schema, value) => {
    const search = new Search(members);
    search.enter([schema], value);
    return search.found;
  };
}

/** One walk through one value. Most values hold nothing undescribed: a pointer is made where something is. */
class Search {
  readonly found: string[] = [];
  private readonly members: DescribedMembers;
  private readonly path: (string | number)[] = [];

  constructor(members: DescribedMembers) {
    this.members = members;
  }

  /** `schemas` all apply to the value. */
  enter(schemas: readonly Located[], value: unknown): void {
    if (schemas.length === 0 || typeof value !== 'object' || value === null) return;
    const view = this.members.viewOf(schemas, value);
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index += 1) this.below(index, view.itemAt(index), value[index]);
      return;
    }
    for (const name of Object.keys(value)) {
      const mentioning = view.property(name);
      if (mentioning.length > 0) this.below(name, mentioning, (value as Record<string, unknown>)[name]);
      else if (view.isDescribing) this.found.push(appended('', ...this.path, name));
    }
  }

  private below(token: string | number, schemas: readonly Located[], value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    this.path.push(token);
    this.enter(schemas, value);
    this.path.pop();
  }
}
