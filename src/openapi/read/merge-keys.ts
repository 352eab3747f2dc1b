// "<<" of YAML 1.1: not a part of YAML 1.2, but what documents mean that write it. swagger-parser reads it as a field.
import { isObject, type JsonObject } from '../json.ts';

/** Whether "<<" stands in the text as a key without quotes. */
export function hasMergeKeys(text: string): boolean {
  return /(^|[\s{,])<<[ \t]*:\s/.test(text);
}

/**
 * The value with every "<<" replaced by the fields that it brings: own fields win, then those of earlier sources. What
 * aliases share stays shared. It holds no more than the value does whose aliases are counted as copies.
 */
export function merged(root: object): object {
  const known = new Map<object, object>();
  const visit = (value: object): object => {
    const earlier = known.get(value);
    if (earlier !== undefined) return earlier;
    const made = Array.isArray(value) ? value.map(visitAny) : mergedObject(value as JsonObject);
    known.set(value, made);
    return made;
  };
  const visitAny = (value: unknown): unknown => (typeof value === 'object' && value !== null ? visit(value) : value);
  const mergedObject = ({ '<<': source, ...own }: JsonObject): JsonObject => {
    const sources = [source].flat().filter(isObject).toReversed();
    const brought = sources.flatMap((one) => Object.entries(visit(one)));
    const fields = [...brought, ...Object.entries(own).map(([name, member]) => [name, visitAny(member)] as const)];
    return Object.fromEntries(fields);
  };
  return visit(root);
}
