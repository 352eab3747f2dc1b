// Reads the values of parameters and body back from a plan that was sent, as its operation describes them.

import { parsedJson, uriDecoded } from '../../exchange/decoded.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import { formParts } from '../../exchange/form.ts';
import { essence } from '../../exchange/media-type.ts';
import { oncePer } from '../../exchange/once-per.ts';
import { isJsonSequence } from '../../exchange/sequences.ts';
import type { Description, Operation, Parameter } from '../../openapi/model/operation.ts';
import { isJson } from '../../openapi/model/responses.ts';
import type { Pair } from '../parameters.ts';
import { readForm, readPairs, readSequence, readText } from '../written.ts';

export interface SentInput {
  /** "query limit" → its value; absent parameters have no entry. */
  readonly parameters: ReadonlyMap<string, unknown>;
  /** Media type of the body without its parameters; null: no body. */
  readonly mediaType: string | null;
  /** undefined: no body, or one that cannot be read back. */
  readonly body: unknown;
}

/** Under which the values of parameters stand in `SentInput`. */
export function parameterKey({ in: place, name }: Pick<Parameter, 'in' | 'name'>): string {
  return `${place} ${place === 'header' ? name.toLowerCase() : name}`;
}

/** The input of the plan as the operation reads it; never throws. */
export function sentInput(description: Description, operation: Operation, plan: RequestPlan): SentInput {
  const pairs = [...new URLSearchParams(plan.query)];
  const whole: readonly Pair[] = plan.query === '' ? [] : [['', uriDecoded(plan.query)]];
  const path = pathTexts(operation, plan.path);
  const names = new Set(operation.parameters.map(({ name }) => name));
  const parameters = operation.parameters.flatMap((parameter) => {
    const own = parameter.name === '' ? whole : pairs.filter(([name]) => name === parameter.name || !names.has(name));
    const value = parameterOf(description, parameter, plan, own, path);
    return value === undefined ? [] : [[parameterKey(parameter), value] as const];
  });
  return { parameters: new Map(parameters), ...bodyOf(description, operation, plan) };
}

function parameterOf(
  description: Description,
  parameter: Parameter,
  plan: RequestPlan,
  pairs: readonly Pair[],
  path: ReadonlyMap<string, string>,
): unknown {
  const { name, in: place, schema } = parameter;
  if (place === 'query') return readPairs(description, parameter, schema, pairs);
  if (place === 'cookie') return readPairs(description, parameter, schema, cookiePairs(plan));
  const text = place === 'path' ? path.get(name) : headerText(plan, name);
  return text === undefined ? undefined : readText(description, parameter, text);
}

/** The texts of path parameters, with what their style puts before them; empty where the path is another one. */
function pathTexts(operation: Operation, path: string): ReadonlyMap<string, string> {
  const { names, whole } = patternOf(operation);
  const [, ...texts] = whole.exec(path) ?? [];
  return new Map(texts.map((text, index) => [names[index] ?? '', uriDecoded(text)]));
}

/** Every request is read by the pattern of its operation. */
const patternOf = oncePer(({ path }: Operation) => {
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
  const source = path
    .split(/\{[^}]+\}/)
    .map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('([^/]*)');
  return { names, whole: new RegExp(`^${source}$`) };
});

function headerText({ headers }: RequestPlan, name: string): string | undefined {
  return headers.find(([given]) => given.toLowerCase() === name.toLowerCase())?.[1];
}

function cookiePairs(plan: RequestPlan): readonly Pair[] {
  const pairs = (headerText(plan, 'cookie') ?? '').split(';').map((pair) => pair.trim().split('='));
  return pairs.map(([name = '', ...rest]) => [uriDecoded(name), uriDecoded(rest.join('='))]);
}

function bodyOf(
  description: Description,
  { requestBody }: Operation,
  { body }: RequestPlan,
): Pick<SentInput, 'mediaType' | 'body'> {
  if (body.kind === 'none') return { mediaType: null, body: undefined };
  const mediaType = essence(body.contentType ?? 'application/json');
  if (body.kind === 'json') return { mediaType, body: body.value };
  if (isJson(mediaType)) return { mediaType, body: parsedJson(body.text) };
  const media = requestBody?.content.find((one) => one.mediaType === mediaType);
  if (media !== undefined && isJsonSequence(mediaType))
    return { mediaType, body: readSequence(description, media, body.text) };
  const parts = formParts(body.text, body.contentType);
  if (parts === null || media === undefined) return { mediaType, body: undefined };
  const pairs = parts.map(({ name, text }) => [name, text] as const);
  return { mediaType, body: readForm(description, media, pairs) };
}
