// Invents names for members of an object that its schema describes without naming them: those of maps.
import { oncePer } from '../../exchange/once-per.ts';
import { CannotGenerate } from '../cannot-generate.ts';
import { type Chance, drawnBy } from '../chance.ts';
import { draw } from '../sampling.ts';
import { isNameOf } from '../schema/conforms.ts';
import { type Form, memberSchemas, namedMembers } from '../schema/form.ts';
import type { Schemas } from '../schema/schemas.ts';
import { labelOf } from './formats.ts';
import { stringOf } from './scalars.ts';

const NAME_LENGTH = 6;
/** Patterns of one object for which a name is made. */
const MAX_PATTERNS = 20;

/** A name that the schema describes without naming it. */
export interface MapName {
  readonly name: string;
  /** The pattern that the name matches, or "any". */
  readonly rule: string;
}

/** A name for each way in which members without one are described; the same whenever it is asked for. */
export function mapNames(schemas: Schemas, form: Form): readonly MapName[] {
  return namesOf(schemas)(form);
}

const namesOf = oncePer((schemas: Schemas) =>
  oncePer((form: Form): readonly MapName[] => {
    const rules = [...patternsOf(form).slice(0, MAX_PATTERNS), undefined];
    const named = new Set(namedMembers(form));
    return rules.flatMap((source) => {
      const rule = source ?? 'any';
      const name = draw(
        drawnBy((chance) => nameBy(schemas, form, chance, { source, turn: 0 })),
        0,
        rule,
      );
      const isUsable = name !== null && !named.has(name) && isNameOf(schemas, form, name);
      return isUsable && isDescribed(form, name) ? [{ name, rule }] : [];
    });
  }),
);

/** Tells whether something is said of the member, and not that it may not be there. */
function isDescribed(form: Form, name: string): boolean {
  const spoken = memberSchemas(form, name).filter((schema) => schema !== true && schema !== undefined);
  return spoken.length > 0 && !spoken.includes(false);
}

function patternsOf(form: Form): readonly string[] {
  return [...new Set(form.members.flatMap(({ patterns }) => patterns.map(({ source }) => source)))];
}

/** One of these names, then others that match a pattern of patternProperties, or any at all; null where none was found. */
export function inventedName(schemas: Schemas, form: Form, chance: Chance, attempt: number): string | null {
  const made = mapNames(schemas, form)[attempt];
  if (made !== undefined) return made.name;
  const sources = patternsOf(form);
  // Every other time without a pattern: what a pattern matches may be ruled out.
  const source = attempt % 2 === 0 ? sources[(attempt / 2) % Math.max(1, sources.length)] : undefined;
  return nameBy(schemas, form, chance, { source, turn: attempt });
}

/** `turn`: of several kinds of names that the schema admits, the one whose turn it is. */
function nameBy(
  schemas: Schemas,
  form: Form,
  chance: Chance,
  { source, turn }: { readonly source: string | undefined; readonly turn: number },
): string | null {
  const rules = schemas.forms(schemas.all(form.names)).forms.filter(({ types }) => types.includes('string'));
  const rule = rules[turn % Math.max(1, rules.length)];
  if (rule === undefined) return null;
  if (rule.values !== null) return String(chance.pick(rule.values));
  const wanted = source === undefined ? rule : { ...rule, patterns: [...rule.patterns, source] };
  const isFree = wanted.patterns.length === 0 && form.names.length === 0;
  try {
    return isFree ? labelOf(NAME_LENGTH, chance) : stringOf(wanted, chance);
  } catch (error) {
    if (error instanceof CannotGenerate) return null;
    throw error;
  }
}
