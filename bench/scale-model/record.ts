// Records from members of the catalogue, in a notation of one line; and those of one resource, as generators write them: a
// class for each use, each with nearly the same members.
import { asArray, asObject, isObject, type JsonObject } from '../../src/platform/json.ts';
import type { Components } from './components.ts';
import { fieldSchema, SET_BY_SERVICE } from './fields.ts';
import { idSchema, pascal } from './names.ts';
import { GROUPS } from './themes.ts';

/**
 * A record of the members in the notation "email! password! note": "!" marks required ones.
 */
export function record(notation: string, components: Components): JsonObject {
  const names = notation.split(' ').filter((name) => name !== '');
  const required = names.filter((name) => name.endsWith('!')).map((name) => name.slice(0, -1));
  const properties = names.map((name) => {
    const plainName = name.replace(/!$/, '');
    return [plainName, fieldSchema(plainName, components)] as const;
  });
  return {
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(properties),
  };
}

/** A record of members of the catalogue and some of its own. */
export function extended(
  components: Components,
  notation: string,
  own: JsonObject = {},
  required: readonly string[] = [],
): JsonObject {
  const base = record(notation, components);
  const all = [...((base.required as string[] | undefined) ?? []), ...required];
  return {
    ...base,
    ...(all.length === 0 ? {} : { required: all }),
    properties: { ...(base.properties as JsonObject), ...own },
  };
}

/** An object of these members, all of them required unless told. */
export function object(properties: JsonObject, required: readonly string[] = Object.keys(properties)): JsonObject {
  return { type: 'object', ...(required.length === 0 ? {} : { required }), properties };
}

export interface Records {
  /** As it is read. */
  readonly whole: JsonObject;
  /** As lists show it. */
  readonly summary: JsonObject;
  readonly creation: JsonObject;
  readonly change: JsonObject;
  readonly replacement: JsonObject;
}

interface Wanted {
  /** "ProductVariant": begins the names of its schemas. */
  readonly name: string;
  /** "productVariant": tells the form of its ids. */
  readonly noun: string;
  /** Members of which some are taken; those with "!" always. */
  readonly members: string;
  readonly fewest: number;
  readonly most: number;
  readonly groups: number;
}

/** References to the records; each schema is described when an operation first asks for it. */
export function recordsOf(wanted: Wanted, components: Components): Records {
  const { name } = wanted;
  const own = (suffix: string, describe: () => JsonObject) => components.reference(`${name}${suffix}`, describe);
  const members = chosen(wanted, components);
  return {
    get whole() {
      return own('Dto', () => whole(wanted, members, components));
    },
    get summary() {
      return own('SummaryDto', () => summary(wanted, members, components));
    },
    get creation() {
      return components.reference(`Create${name}Dto`, () => sent(wanted, members, components));
    },
    get change() {
      return components.reference(`Update${name}Dto`, () => withoutRequired(sent(wanted, members, components)));
    },
    get replacement() {
      return components.reference(`Replace${name}Dto`, () => sent(wanted, members, components));
    },
  };
}

/** Members of this resource in the notation of records, required ones first. */
function chosen({ name, members, fewest, most }: Wanted, { draw }: Components): string {
  const all = members.split(' ');
  const always = all.filter((one) => one.endsWith('!'));
  const others = draw.shuffled(
    all.filter((one) => !one.endsWith('!')),
    `members of ${name}`,
  );
  const count = draw.between(fewest, most, `number of members of ${name}`);
  return [...always, ...others.slice(0, count)].join(' ');
}

function whole(wanted: Wanted, members: string, components: Components): JsonObject {
  const { name, noun } = wanted;
  const inherits = components.draw.happens(40, `${name} inherits`);
  const id = { ...idSchema(noun), readOnly: true, description: `Id of the ${noun}.` };
  const own = record(inherits ? members : `${members} createdAt! updatedAt! version`, components);
  const described: JsonObject = {
    ...own,
    required: ['id', ...asArray(own.required)],
    properties: { id, ...asObject(own.properties), ...groupsOf(wanted, components) },
  };
  return inherits ? { allOf: [components.shared('BaseRecordDto'), described] } : described;
}

/** Simple members alone, and when it was made. */
function summary({ noun }: Wanted, members: string, components: Components): JsonObject {
  const simple = members.split(' ').filter((member) => isSimple(fieldSchema(member.replace('!', ''), components)));
  const own = record(`${simple.slice(0, 8).join(' ')} createdAt!`, components);
  return {
    ...own,
    required: ['id', ...asArray(own.required)],
    properties: { id: { ...idSchema(noun), readOnly: true }, ...asObject(own.properties) },
  };
}

function sent(wanted: Wanted, members: string, components: Components): JsonObject {
  const own = members.split(' ').filter((member) => !SET_BY_SERVICE.has(member.replace('!', '')));
  const described = record(own.join(' '), components);
  const closed = components.draw.happens(15, `${wanted.name} is closed`);
  return {
    ...described,
    properties: { ...asObject(described.properties), ...groupsOf(wanted, components) },
    ...(closed ? { additionalProperties: false } : {}),
  };
}

function groupsOf({ name, groups }: Wanted, components: Components): JsonObject {
  const names = components.draw.shuffled(Object.keys(GROUPS), `groups of ${name}`).slice(0, groups);
  const described = names.map((group) => {
    const reference = components.reference(`${name}${pascal(group)}Dto`, () => record(GROUPS[group] ?? '', components));
    return [group, components.form.described(reference, `The ${group} of it.`)] as const;
  });
  return Object.fromEntries(described);
}

function withoutRequired({ required: _all, ...schema }: JsonObject): JsonObject {
  return schema;
}

function isSimple(schema: JsonObject): boolean {
  return (
    !('$ref' in schema) &&
    !['allOf', 'anyOf', 'items'].some((keyword) => isObject(schema[keyword]) || keyword in schema)
  );
}
