// How deep a value must at least be: what ends the drawing of schemas that contain themselves, and tells those that no
// finite value obeys.
import { type Form, itemSchemas, type JsonType, namedMembers } from './form.ts';
import type { Conjunction, Schemas } from './schemas.ts';

/** Deeper than this no value is looked for. */
export const MAX_HEIGHT = 24;

/** Tells whether null may stand where something else is possible: it ends any depth, but says nothing and is often refused. */
type Nulls = 'anywhere' | 'where nothing else is';

/** Levels of objects and arrays that a value needs; 0 for scalars, Infinity where none of up to MAX_HEIGHT suffices. */
export function heightOf(schemas: Schemas, conjunction: Conjunction): number {
  for (const nulls of ['where nothing else is', 'anywhere'] as const)
    for (let room = 0; room <= MAX_HEIGHT; room += 1) if (fits(schemas, conjunction, room, nulls)) return room;
  return Number.POSITIVE_INFINITY;
}

/** Tells whether some value of so many levels obeys the schemas. */
export function fits(schemas: Schemas, conjunction: Conjunction, room: number, nulls: Nulls = 'anywhere'): boolean {
  const place = nulls === 'anywhere' ? room : MAX_HEIGHT + 1 + room;
  const known = conjunction.fits[place];
  if (known !== undefined) return known;
  const { forms } = schemas.forms(conjunction);
  const others = nulls === 'anywhere' ? forms : forms.filter((form) => !isNull(form));
  const found = (others.length > 0 ? others : forms).some((form) =>
    form.types.some(
      (type) => (type !== 'null' || mayBeNull(form, nulls)) && fitsType(schemas, form, type, room, nulls),
    ),
  );
  conjunction.fits[place] = found;
  return found;
}

function mayBeNull(form: Form, nulls: Nulls): boolean {
  return nulls === 'anywhere' || isNull(form);
}

/** Tells whether no value but null obeys the form. */
export function isNull({ types, values }: Form): boolean {
  return types.every((type) => type === 'null') || values?.every((value) => value === null) === true;
}

/** Tells whether some value of this form and type does. */
export function fitsType(
  schemas: Schemas,
  form: Form,
  type: JsonType,
  room: number,
  nulls: Nulls = 'anywhere',
): boolean {
  if (form.values !== null || (type !== 'object' && type !== 'array')) return true;
  return type === 'object' ? fitsObject(schemas, form, room, nulls) : fitsArray(schemas, form, room, nulls);
}

function fitsObject(schemas: Schemas, form: Form, room: number, nulls: Nulls): boolean {
  const required = schemas.required(form);
  const isEmpty = required.length === 0 && form.minProperties === 0;
  if (room <= 0) return isEmpty;
  if (!required.every((name) => fits(schemas, schemas.member(form, name), room - 1, nulls))) return false;
  if (required.length >= form.minProperties) return true;
  return canHaveMore(schemas, form, room, required, nulls);
}

/** Tells whether members can be added up to minProperties: named ones, or such as have no name yet. */
function canHaveMore(schemas: Schemas, form: Form, room: number, required: readonly string[], nulls: Nulls): boolean {
  if (form.members.some(({ patterns }) => patterns.length > 0)) return true;
  if (fits(schemas, schemas.member(form, '\0 a name that nobody uses'), room - 1, nulls)) return true;
  const more = namedMembers(form).filter(
    (name) => !required.includes(name) && fits(schemas, schemas.member(form, name), room - 1, nulls),
  );
  return required.length + more.length >= form.minProperties;
}

function fitsArray(schemas: Schemas, form: Form, room: number, nulls: Nulls): boolean {
  const wanted = form.contains.filter(({ min }) => min > 0);
  if (form.minItems === 0 && wanted.length === 0) return true;
  if (room <= 0) return false;
  const told = Math.max(0, ...form.items.map(({ prefix }) => prefix.length)) + 1;
  for (let index = 0; index < Math.min(form.minItems, told); index += 1)
    if (!fits(schemas, schemas.all(itemSchemas(form, index)), room - 1, nulls)) return false;
  return wanted.every((one) => {
    const places = Array.from({ length: told }, (_, index) => schemas.all(itemSchemas(form, index, [one])));
    return places.some((place) => fits(schemas, place, room - 1, nulls));
  });
}
