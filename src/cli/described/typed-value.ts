// A value that was typed on the command line, and that may be a secret: read from a file or the environment, or as it stands.
import { invalidOption, type UsageError } from '../../config/errors.ts';

/** A value, and how it is told again without being shown. */
export interface TypedValue {
  /** As a configuration holds it: a text in which ${NAME} stands for what is not shown. */
  readonly text: string;
  /** Values that the environment does not hold, under the names that stand for them in `text`. */
  readonly brought: Readonly<Record<string, string>>;
  /** As it is typed again: "env:PETS_KEY", "@key.txt". */
  readonly again: string;
}

export interface Typing {
  /** "--key" or "--header", for messages. */
  readonly option: string;
  /** The variable that stands for a value which no variable holds. */
  readonly variable: string;
  /** The text of a file. */
  readonly read: (path: string) => string;
}

const REFERENCE = /\$\{[^}]*\}/;

/** `@file`, `env:NAME`, a text with ${NAME} in it, or else the value itself. Throws UsageError for what is none of them. */
export function typedValue(typed: string, { option, variable, read }: Typing): TypedValue {
  if (typed.startsWith('env:')) {
    const name = typed.slice('env:'.length);
    if (!/^[A-Za-z_]\w*$/.test(name)) throw invalid(option, 'what follows env: is no name of a variable');
    return { text: `\${${name}}`, brought: {}, again: typed };
  }
  if (typed.startsWith('@')) {
    return { text: `\${${variable}}`, brought: { [variable]: printable(option, read(typed.slice(1))) }, again: typed };
  }
  if (REFERENCE.test(typed)) return aroundReferences(typed, option, variable);
  return { text: `\${${variable}}`, brought: { [variable]: printable(option, typed) }, again: `env:${variable}` };
}

/** A value with references in it. Text around them may be the secret itself: each such part stands under a name of its own. */
function aroundReferences(typed: string, option: string, variable: string): TypedValue {
  const brought: Record<string, string> = {};
  const parts = printable(option, typed)
    .split(/(\$\{[^}]*\})/)
    .filter((part) => part !== '');
  const text = parts
    .map((part) => {
      if (REFERENCE.test(part)) return part;
      const count = Object.keys(brought).length;
      const name = count === 0 ? variable : `${variable}_PART_${count + 1}`;
      brought[name] = part;
      return `\${${name}}`;
    })
    .join('');
  return { text, brought, again: text };
}

/** Tells whether the text says where a value is, and is not the value. */
export function isReference(typed: string): boolean {
  return typed.startsWith('env:') || typed.startsWith('@') || REFERENCE.test(typed);
}

/** The value itself; null where a variable is not set. */
export function filledIn(value: TypedValue, env: Readonly<Record<string, string | undefined>>): string | null {
  if (unsetIn(value, env).length > 0) return null;
  return value.text.replaceAll(/\$\{([^}]*)\}/g, (_, name: string) => value.brought[name] ?? env[name] ?? '');
}

/** The variables that the value is taken from and that are not set. */
export function unsetIn({ text, brought }: TypedValue, env: Readonly<Record<string, string | undefined>>): string[] {
  const names = [...text.matchAll(/\$\{([^}]*)\}/g)].map(([, name = '']) => name);
  return names.filter((name) => !brought[name] && !env[name]);
}

function printable(option: string, text: string): string {
  const value = text.trim();
  if (value === '') throw invalid(option, 'its value is empty');
  if (!/^[\x20-\x7e]+$/.test(value)) throw invalid(option, 'its value holds a line break, or no ASCII character');
  return value;
}

function invalid(option: string, what: string): UsageError {
  const hint = `${option} takes the value itself, @FILE for what a file holds, or env:NAME for a variable`;
  return invalidOption(`${option}: ${what}`, hint);
}
