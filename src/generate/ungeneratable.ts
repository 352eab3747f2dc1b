// Why an operation cannot be called for want of valid input. Path parameters are not asked for here: ids come from the target.
import type { Description, Operation } from '../openapi/model/operation.ts';
import { type Draw, drawnBody } from './bodies.ts';
import { drawnParameter } from './parameters.ts';

/** One sentence; null when all that the operation requires can be generated. */
export function ungeneratable(description: Description, operation: Operation, from: Draw): string | null {
  const body = operation.requestBody?.required === true ? drawnBody(description, operation, 'example', from) : null;
  if (body?.ok === false) return `cannot generate a valid request body, because ${body.reason}`;
  for (const parameter of operation.parameters) {
    if (!parameter.required || parameter.in === 'path') continue;
    const drawn = drawnParameter(description, parameter, from);
    if (!drawn.ok)
      return `cannot generate a value for the ${parameter.in} parameter "${parameter.name}", because ${drawn.reason}`;
  }
  return null;
}
