// Patterns as the generator asks them: it only chooses by the answer, and the validator judges what it made.
import { type Pattern, patternOrNull } from '../../openapi/patterns/pattern.ts';
import { TooCostly } from '../../openapi/patterns/too-costly.ts';

/** The pattern, which does not match what nobody can wait for; null where the source is no pattern. */
export function lenientPattern(source: string): Pattern | null {
  const pattern = patternOrNull(source);
  return pattern === null ? null : { test: (text) => matches(pattern, text) };
}

function matches(pattern: Pattern, text: string): boolean {
  try {
    return pattern.test(text);
  } catch (error) {
    if (error instanceof TooCostly) return false;
    throw error;
  }
}
