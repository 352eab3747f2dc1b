// What the members of the scale model's records are described by: kinds of schemas, in a document's dialect.
import type { JsonObject } from '../platform/json.ts';
import type { Describe } from './components.ts';

export function text(description: string, example: string, rules: JsonObject = { maxLength: 255 }): Describe {
  return ({ form }) => form.example({ type: 'string', ...rules, description }, example);
}

export function formatted(format: string, description: string, example: string): Describe {
  return ({ form }) => form.example({ type: 'string', format, description }, example);
}

export function coded(pattern: string, description: string, example: string): Describe {
  return ({ form }) => form.example({ type: 'string', pattern, description }, example);
}

export function whole(description: string, minimum: number, maximum: number): Describe {
  return () => ({ type: 'integer', minimum, maximum, description });
}

export function measure(description: string): Describe {
  return ({ form }) => form.positive({ type: 'number', description });
}

export function flag(description: string, standard = false): Describe {
  return () => ({ type: 'boolean', default: standard, description });
}

export function choice(description: string, ...values: readonly string[]): Describe {
  return () => ({ type: 'string', enum: values, description });
}

export function optional(maker: Describe): Describe {
  return (components) => components.form.nullable(maker(components));
}

export function list(maker: Describe, rules: JsonObject, description: string): Describe {
  return (components) => ({ type: 'array', items: maker(components), ...rules, description });
}

export function shared(name: string, description: string): Describe {
  return (components) => components.form.described(components.shared(name), description);
}

/** As items of lists, where a description of its own would say nothing. */
export function bare(name: string): Describe {
  return (components) => components.shared(name);
}

export function orNull(name: string): Describe {
  return (components) => components.form.nullable(components.shared(name));
}
