// Rules of OpenAPI that no JSON Schema can express: what must be unique, and what must be there because something names it.
import { appended, asArray, asObject, isObject, type JsonObject } from '../json.ts';
import type { Problem, SecurityScheme } from '../model/operation.ts';
import { operationPlaces } from '../model/operations.ts';
import { placeholders } from '../model/unsupported.ts';
import { type Located, member, type References } from '../read/references.ts';

type Place = Omit<Problem, 'file'>;

/** An operation as it stands in the document, with the path item it belongs to. */
interface Raw {
  readonly template: string;
  readonly at: Located;
  readonly item: Located;
}

/** All breaches of these rules, pointers into the bundled document. */
export function ruleProblems(references: References, schemes: readonly SecurityScheme[]): Place[] {
  const operations = rawOperations(references);
  const templates = Object.keys(asObject(references.document.paths)).filter((path) => path.startsWith('/'));
  const names = new Set(schemes.map(({ name }) => name));
  return [
    ...samePaths(templates),
    ...repeatedOperationIds(operations),
    ...unknownLinks(references, operations),
    ...repeatedTags(references.document),
    ...parentTags(references.document),
    ...operations.flatMap((operation) => parameterProblems(operation, references)),
    ...undefinedSchemes({ value: references.document, pointer: '' }, names),
    ...(references.dialect === '3.1' ? serverVariables(references, operations) : []),
    ...operations.flatMap(({ at }) => undefinedSchemes(at, names)),
  ];
}

function rawOperations(references: References): Raw[] {
  const paths = member({ value: references.document, pointer: '' }, 'paths');
  return Object.entries(asObject(paths.value)).flatMap(([template, raw]) => {
    const item = template.startsWith('/') ? references.resolve(raw, member(paths, template).pointer) : null;
    if (item === null) return [];
    return operationPlaces(item).flatMap(({ at: { value, pointer } }) => {
      const at = references.resolve(value, pointer);
      return at === null ? [] : [{ template, at, item }];
    });
  });
}

/** "/a/{x}" and "/a/{y}" are the same path. */
function samePaths(templates: readonly string[]): Place[] {
  const first = new Map<string, string>();
  return templates.flatMap((template) => {
    const shape = template.replace(/\{[^{}]*\}/g, '{}');
    const earlier = first.get(shape);
    if (earlier === undefined) first.set(shape, template);
    const unbalanced = /[{}]/.test(shape.replaceAll('{}', ''));
    return [
      ...(earlier === undefined
        ? []
        : [problem('same-path', template, `"${template}" is the same path as "${earlier}"`)]),
      ...(unbalanced ? [problem('path-template', template, `the braces of "${template}" do not pair`)] : []),
    ];
  });
}

function problem(rule: string, template: string, message: string): Place {
  return { pointer: appended('/paths', template), rule, message };
}

function repeatedOperationIds(operations: readonly Raw[]): Place[] {
  const first = new Map<unknown, string>();
  return operations.flatMap(({ at }) => {
    const id = asObject(at.value).operationId;
    if (typeof id !== 'string') return [];
    const earlier = first.get(id);
    if (earlier === undefined || earlier === at.pointer) {
      first.set(id, at.pointer);
      return [];
    }
    const message = `the operationId "${id}" is already that of ${earlier}`;
    return [{ pointer: appended(at.pointer, 'operationId'), rule: 'duplicate-operation-id', message }];
  });
}

/** Each tag is listed once. Source: OpenAPI, OpenAPI Object, tags. */
function repeatedTags({ tags }: JsonObject): Place[] {
  const names = asArray(tags).map((tag) => asObject(tag).name);
  return names.flatMap((name, index) => {
    if (typeof name !== 'string' || names.indexOf(name) === index) return [];
    const message = `the tag "${name}" is already listed`;
    return [{ pointer: appended('/tags', index, 'name'), rule: 'duplicate-tag', message }];
  });
}

/** The parent of a tag is a tag, and no tag is its own ancestor. Source: OpenAPI 3.2, Tag Object, parent. */
function parentTags({ tags }: JsonObject): Place[] {
  const listed = asArray(tags).map((tag) => asObject(tag));
  const parents = new Map(listed.map(({ name, parent }) => [name, parent]));
  const isCircular = (name: unknown): boolean => {
    let above = parents.get(name);
    for (let steps = 0; above !== undefined && above !== name && steps < parents.size; steps += 1)
      above = parents.get(above);
    return above !== undefined && above === name;
  };
  return listed.flatMap(({ name, parent }, index) => {
    if (parent === undefined || (parents.has(parent) && !isCircular(name))) return [];
    const [rule, says] = parents.has(parent)
      ? ['circular-parent-tag', 'is below itself']
      : ['unknown-parent-tag', 'is not listed'];
    const message = `the parent "${parent}" of the tag "${name}" ${says}`;
    return [{ pointer: appended('/tags', index, 'parent'), rule, message }];
  });
}

/** A link that names an operation names one that there is. Source: OpenAPI, Link Object, operationId. */
function unknownLinks(references: References, operations: readonly Raw[]): Place[] {
  const entries = ({ value, pointer }: Located): Located[] =>
    Object.keys(asObject(value)).flatMap((name) => {
      const at = member({ value, pointer }, name);
      return references.resolve(at.value, at.pointer) ?? [];
    });
  const links = operations
    .flatMap(({ at }) => entries(member(at, 'responses')))
    .flatMap((response) => entries(member(response, 'links')));
  const byPlace = new Map(links.map((link) => [link.pointer, link]));
  const known = new Set<string>();
  if (links.length > 0) noteOperationIds(references.document, known);
  return [...byPlace.values()].flatMap(({ value, pointer }) => {
    const { operationId } = asObject(value);
    if (typeof operationId !== 'string' || known.has(operationId)) return [];
    const message = `the link names the operation "${operationId}", which is not described`;
    return [{ pointer: appended(pointer, 'operationId'), rule: 'unknown-link-operation', message }];
  });
}

/** The ids of all that has answers: of callbacks and webhooks, too, wherever they stand. */
function noteOperationIds(value: unknown, known: Set<string>): void {
  const open: unknown[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Array.isArray(next)) open.push(...next);
    if (!isObject(next)) continue;
    if (typeof next.operationId === 'string' && 'responses' in next) known.add(next.operationId);
    open.push(...Object.values(next).filter((member) => typeof member === 'object' && member !== null));
  }
}

function parameterProblems({ template, at, item }: Raw, references: References): Place[] {
  const shared = listed(member(item, 'parameters'), references);
  const own = listed(member(at, 'parameters'), references);
  const declared = [...shared, ...own];
  const wanted = new Set(placeholders(template));
  const paths = declared.filter((one) => one.in === 'path');
  const known = new Set(paths.map(({ name }) => name));
  // A reference that leads nowhere may well have been the missing declaration.
  const complete = declared.every((one) => one.name !== null);
  const missing = complete ? [...wanted].filter((name) => !known.has(name)) : [];
  return [
    ...(missing.length === 0 ? [] : [undeclared(missing, at)]),
    ...paths
      .filter(({ name }) => name !== null && !wanted.has(name))
      .map(({ name, pointer }) => ({
        pointer,
        rule: 'path-parameter-unused',
        message: `the path parameter "${name}" does not occur in "${template}"`,
      })),
    ...duplicates(shared),
    ...duplicates(own),
  ];
}

const MAX_NAMED = 5;

function undeclared(names: readonly string[], { pointer }: Located): Place {
  const named = names.slice(0, MAX_NAMED).map((name) => `"{${name}}"`);
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  const message = `the path has ${named.join(', ')}${more}, but no parameter of that name in path is declared`;
  return { pointer, rule: 'path-parameter-undeclared', message };
}

interface Declared {
  /** Null for a reference that leads nowhere. */
  readonly name: string | null;
  readonly in: string;
  readonly pointer: string;
}

function listed(list: Located, references: References): Declared[] {
  return asArray(list.value).flatMap((raw, index): Declared[] => {
    const at = member(list, index);
    const found = references.resolve(raw, at.pointer);
    if (found === null) return [{ name: null, in: '', pointer: at.pointer }];
    const { name, in: place } = asObject(found.value);
    return typeof name === 'string' && typeof place === 'string' ? [{ name, in: place, pointer: at.pointer }] : [];
  });
}

function duplicates(list: readonly Declared[]): Place[] {
  const first = new Map<string, Declared>();
  return list.flatMap((one) => {
    if (one.name === null) return [];
    const earlier = first.get(`${one.in} ${one.name}`);
    if (earlier === undefined) {
      first.set(`${one.in} ${one.name}`, one);
      return [];
    }
    const message = `the ${one.in} parameter "${one.name}" is already declared at ${earlier.pointer}`;
    return [{ pointer: one.pointer, rule: 'duplicate-parameter', message }];
  });
}

/** 3.1: the default of a variable that lists its values is one of these. 3.0 says that it should be. */
function serverVariables({ document }: References, operations: readonly Raw[]): Place[] {
  const owners = [{ value: document, pointer: '' }, ...operations.flatMap(({ at, item }) => [item, at])];
  const lists = new Map(owners.map((owner) => member(owner, 'servers')).map((list) => [list.pointer, list]));
  const variables = [...lists.values()].flatMap((list) =>
    asArray(list.value).flatMap((_, index) => {
      const all = member(member(list, index), 'variables');
      return Object.keys(asObject(all.value)).map((name) => ({ name, at: member(all, name) }));
    }),
  );
  return variables.flatMap(({ name, at }) => {
    const { enum: listed, default: usual } = asObject(at.value);
    if (!Array.isArray(listed) || typeof usual !== 'string' || listed.includes(usual)) return [];
    const message = `the default "${usual}" of the server variable "${name}" is none of its values`;
    return [{ pointer: appended(at.pointer, 'default'), rule: 'server-variable-default', message }];
  });
}

function undefinedSchemes(owner: Located, names: ReadonlySet<string>): Place[] {
  const security = member(owner, 'security');
  return asArray(security.value).flatMap((alternative, index) =>
    Object.keys(asObject(alternative))
      .filter((name) => !names.has(name))
      .map((name) => ({
        pointer: appended(security.pointer, index, name),
        rule: 'undefined-security-scheme',
        message: `the security scheme "${name}" is not defined in components.securitySchemes`,
      })),
  );
}
