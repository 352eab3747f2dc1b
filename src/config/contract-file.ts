// A contract file: found, read, held to its schema, and joined with what it extends. All mistakes are told at once.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, resolve } from 'node:path';
import { operationMatcher } from '../contract/operation-glob.ts';
import { SHIPPED_CONTRACTS, shippedContract } from '../contract/shipped.ts';
import type { Contract } from '../contract/terms.ts';
import { type ContractDocument, type PagingDocument, pagingIn, termsOf } from '../contract/terms-of.ts';
import { type ConfigProblem, configError, UsageError } from './errors.ts';
import { keyOf } from './key-path.ts';
import { suggestion } from './nearest.ts';
import { isObject, lineFinder, merged, parseConfig } from './read.ts';
import { schemaProblems } from './schema-problems.ts';

/** The two contracts that every other one stands on. */
type Base = Contract['base'];

type Extending = ContractDocument & { readonly extends?: string | readonly string[] };

/** A contract with all that it extends. */
interface Joined {
  readonly base: Base;
  readonly document: ContractDocument;
}

const HINT = '`assay contract show --contract FILE` checks a contract; docs/contract.md has its form';

/**
 * The contract that a configuration names: `commerce`, `openapi`, a preset, or a file relative to `folder`. Throws UsageError with every
 * problem of the file, and where it extends what does not exist, or itself.
 */
export function contractOf(named: string, folder: string): Contract {
  if (isContractFile(named)) {
    const file = resolve(folder, named);
    return contractFrom(joinedFile(file, []), basename(file));
  }
  if (!SHIPPED_CONTRACTS.includes(named)) throw unknown('contract', named);
  return contractFrom(joinedBy(named, folder, []), null);
}

function contractFrom({ base, document }: Joined, file: string | null): Contract {
  const digest = createHash('sha256').update(JSON.stringify(document)).digest('hex');
  return { base, name: document.name, file, digest, terms: termsOf(document) };
}

/** Tells whether the name is that of a file: it has an ending or a slash. All others name contracts of Assay. */
export function isContractFile(named: string): boolean {
  return /[/\\]/.test(named) || /\.(ya?ml|json)$/i.test(named);
}

function unknown(what: string, named: string): UsageError {
  return new UsageError(
    'ASSAY_CONFIG_VALUE_INVALID',
    `${what}: ${unknownName(named)}`,
    `write one of ${SHIPPED_CONTRACTS.join(', ')}, or a file such as ./acme.contract.yaml`,
  );
}

function unknownName(named: string): string {
  return `"${named}" is neither a file nor a contract that ships${suggestion(named, SHIPPED_CONTRACTS)}`;
}

function joinedBy(named: string, folder: string, within: readonly string[]): Joined {
  if (isContractFile(named)) return joinedFile(resolve(folder, named), within);
  const base = named === 'commerce' ? 'commerce' : 'openapi';
  return { base, document: shippedContract(named) };
}

function joinedFile(file: string, within: readonly string[]): Joined {
  if (within.includes(file))
    throw configError(file, [problem('/extends', `leads back to this file by way of ${within.join(', ')}`)], HINT);
  const { extends: extended = 'openapi', ...own } = withSchema(documentIn(file), file);
  const folder = dirname(file);
  const bases = [extended].flat().map((named) => joinedBy(named, folder, [...within, file]));
  return {
    base: bases.some(({ base }) => base === 'commerce') ? 'commerce' : 'openapi',
    document: [...bases.map(({ document }) => document), own].reduce(joined),
  };
}

/** The file's document, held to the schema. */
function documentIn(file: string): Extending {
  if (!existsSync(file))
    throw new UsageError(
      'ASSAY_CONFIG_NOT_FOUND',
      `the contract ${file} does not exist`,
      '`assay contract init` writes one',
    );
  if (!/^\.(ya?ml|json)$/i.test(extname(file)))
    throw configError(file, [problem('', 'a contract is a .yaml, .yml or .json file')], HINT);
  const text = readFileSync(file, 'utf8');
  const document = parseConfig(file, text) as Extending;
  const malformed = schemaProblems(document, new Set(), 'contract.schema.json');
  const further = isObject(document) ? [...lost(document, dirname(file)), ...formless(document)] : [];
  const [first, ...rest] = [...malformed, ...further];
  if (first !== undefined) throw configError(file, [first, ...rest], HINT, lineFinder(text));
  return document;
}

/** The files and contracts that the document names and that do not exist, whatever else is wrong with it. */
function lost({ extends: extended = [], errors }: Extending, folder: string): readonly ConfigProblem[] {
  const bases = [extended].flat().flatMap((named: unknown, at) => {
    const place = Array.isArray(extended) ? `/extends/${at}` : '/extends';
    if (typeof named !== 'string' || named === '') return [];
    if (isContractFile(named)) return absent(place, resolve(folder, named));
    return SHIPPED_CONTRACTS.includes(named) ? [] : [problem(place, unknownName(named))];
  });
  const schema: unknown = isObject(errors) ? errors.schema : undefined;
  return [...bases, ...(typeof schema === 'string' ? absent('/errors/schema', resolve(folder, schema)) : [])];
}

/** Forms of codes that are no pattern. */
function formless({ errors }: Extending): readonly ConfigProblem[] {
  const members: unknown = isObject(errors) ? errors.members : undefined;
  return (['code', 'fieldCode'] as const).flatMap((role) => {
    const member: unknown = isObject(members) ? members[role] : undefined;
    const form: unknown = isObject(member) ? member.form : undefined;
    if (typeof form !== 'string' || isPattern(form)) return [];
    const message = `"${form}" is no form: write snake_case, kebab-case, uri or a regular expression`;
    return [problem(`/errors/members/${role}/form`, message)];
  });
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text) instanceof RegExp;
  } catch {
    // A text that is no regular expression is told as a mistake.
    return false;
  }
}

function absent(pointer: string, file: string): readonly ConfigProblem[] {
  const isFileThere = statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  return isFileThere ? [] : [problem(pointer, `${file} does not exist`)];
}

/** The schema of errors, where another file holds it, in place of that file's name. */
function withSchema(document: Extending, file: string): Extending {
  const { errors } = document;
  if (errors == null || typeof errors.schema !== 'string') return document;
  const path = resolve(dirname(file), errors.schema);
  return { ...document, errors: { ...errors, schema: parseConfig(path, readFileSync(path, 'utf8')) } };
}

function problem(pointer: string, message: string): ConfigProblem {
  return { code: 'ASSAY_CONFIG_VALUE_INVALID', key: keyOf(pointer), pointer, message };
}

/** Both documents as one: objects member by member, all else as the later one says it, lists that page style by style, a member of errors as a whole. */
function joined(earlier: ContractDocument, later: ContractDocument): ContractDocument {
  const { pagination: before, ...base } = earlier;
  const { pagination: after, ...own } = later;
  const both = withMembers(merged(base, own) as ContractDocument, { ...base.errors?.members, ...own.errors?.members });
  if (before === undefined && after === undefined) return both;
  return { ...both, pagination: joinedPaging(pagingIn(before), pagingIn(after)) };
}

type ErrorMembers = NonNullable<ContractDocument['errors']>['members'];

/** A member that is stated again is stated anew: it is no longer optional because a preset has it so. */
function withMembers(document: ContractDocument, members: NonNullable<ErrorMembers>): ContractDocument {
  const { errors } = document;
  return errors?.members === undefined ? document : { ...document, errors: { ...errors, members } };
}

type Paging = ReturnType<typeof pagingIn>;

/**
 * An entry takes what it leaves out from the first earlier one of its style, or, without a style, from the first of all. An entry without
 * operations that later ones were made of stands no longer for all lists.
 */
function joinedPaging(earlier: Paging, later: Paging): Paging {
  const used = new Set<PagingDocument>();
  const own = later.lists.map((entry) => {
    const from = earlier.lists.find(({ style }) => entry.style === undefined || style === entry.style);
    if (from === undefined) return entry;
    used.add(from);
    const { operations: _, ...inherited } = from;
    return merged(inherited, entry) as PagingDocument;
  });
  const left = earlier.lists.filter((entry) => !(used.has(entry) && entry.operations === undefined));
  return { ...earlier, ...later, lists: [...own, ...left] };
}

/**
 * A sentence on operations that a contract file names and no description has, each with the nearest one; null where all are there. A file may
 * stand for several APIs, so this is no mistake.
 */
export function idleNamesIn({ file, terms }: Contract, operationKeys: readonly string[]): string | null {
  if (file === null) return null;
  const { pagination, idempotency, conditional, rateLimits } = terms;
  const globs = [
    ...pagination.flatMap(({ operations }) => operations ?? []),
    ...(idempotency === null ? [] : [...idempotency.operations, ...idempotency.never]),
    ...conditional,
    ...(rateLimits?.throttles.map(({ operation }) => operation) ?? []),
  ];
  const idle = [...new Set(globs)].filter((glob) => !operationKeys.some(operationMatcher([glob])));
  if (idle.length === 0) return null;
  const named = idle.map((glob) => `${glob}${suggestion(glob, operationKeys)}`).join(', ');
  return `${file} names what no description has, and binds nothing there: ${named}`;
}
