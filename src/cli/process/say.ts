// Writes the program's messages to the terminal, without the secrets that it knows by then. Reports need no second look.
import type { ConfiguredSecret } from '../../config/secrets.ts';
import { createRedactor } from '../../exchange/redaction.ts';
import type { Redactor } from '../../exchange/secrets/known-secrets.ts';
import { wrapped } from '../../reporters/terminal/wrapped.ts';

/** The secrets of the configuration read last: a command reads one. */
let known: Redactor | null = null;

/** A redactor of the secrets, which everything said from now on passes. */
export function keepSecret(secrets: Iterable<ConfiguredSecret>): Redactor {
  known = createRedactor(secrets);
  return known;
}

/** Writes the text to stderr. */
export function say(text: string): void {
  process.stderr.write(unsaid(text));
}

/** Writes a sentence on what is going to happen to stderr, broken at words where a terminal is narrower. */
export function foretell(
  sentence: string,
  { columns = Number.POSITIVE_INFINITY }: { readonly columns?: number } = process.stderr,
): void {
  say(`${wrapped(`assay: ${sentence}`, columns, 2).join('\n')}\n`);
}

/** The text without any secret that is known. */
export function unsaid(text: string): string {
  return known === null ? text : known.conceal(text);
}
