// Small texts of the page: ids of its deep links, the contract's sentences with their code marked, where expected and
// actual differ, and which lines of a body a finding is about. Pure.
import { diffLines, diffWordsWithSpace } from 'diff';
import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';
import { isReadableJson } from '../text.ts';

/** Id of a deep link, the same in every run, harmless whatever the target sent: `anchor('op', 'admin', 'GET /v1/stores/{storeId}')` is "op-admin-GET-/v1/stores/{storeId}". */
export function anchor(...parts: readonly string[]): string {
  return parts
    .join('-')
    .slice(0, 200)
    .replace(/[^A-Za-z0-9/{}._-]+/g, '-');
}

/** Text in which `backticks` mark code, in pieces. *Emphasis* is shown as plain text. */
export function codeParts(text: string): readonly { readonly code: boolean; readonly text: string }[] {
  return text
    .split('`')
    .map((part, index) =>
      index % 2 === 1 ? { code: true, text: part } : { code: false, text: part.replace(/\*(\w+)\*/g, '$1') },
    )
    .filter((part) => part.text !== '');
}

/** The text with Assay's commands in it marked as code. */
export function withCommands(text: string): string {
  return text.replaceAll(/"?\b(assay (?:conform|webhooks|client -- COMMAND|load \w+))\b"?/g, '`$1`');
}

/** The text with numbers that no line parts from their units. */
export function unparted(text: string): string {
  return text.replaceAll(/(\d) (?=(?:%|ms|s|min|requests\/s)(?![\w/]))/g, '$1\u00a0');
}

/** Text with what matters in it marked. */
export interface Piece {
  readonly text: string;
  readonly mark: boolean;
  /** Words beside it: "expected 404". */
  readonly note?: string;
}

/** Edits looked for: texts that differ in more are shown as they are. */
const MAX_EDITS = 200;
/** Marks help only where most of the text is the same. */
const SAME_SHARE = 0.4;

/** Both texts in pieces, the differing ones marked; unmarked where they have little in common. JSON is compared by line. */
export function versus(
  expected: string,
  actual: string,
): readonly [expected: readonly Piece[], actual: readonly Piece[]] {
  const plain = [[{ text: expected, mark: false }], [{ text: actual, mark: false }]] as const;
  if (expected === '' || actual === '') return plain;
  const [left, right] = [indentedJson(expected), indentedJson(actual)];
  const changes =
    left !== null && right !== null
      ? diffLines(left, right, { maxEditLength: MAX_EDITS })
      : diffWordsWithSpace(expected, actual, { maxEditLength: MAX_EDITS });
  if (changes === undefined) return plain;
  const same = changes
    .filter(({ added, removed }) => !added && !removed)
    .reduce((sum, { value }) => sum + value.length, 0);
  if (same < SAME_SHARE * Math.max(expected.length, actual.length)) return plain;
  return [
    changes.filter(({ added }) => !added).map(({ value, removed }) => ({ text: value, mark: removed })),
    changes.filter(({ removed }) => !removed).map(({ value, added }) => ({ text: value, mark: added })),
  ];
}

/** A JSON object or list with line breaks; null for any other text. */
function indentedJson(text: string): string | null {
  if (!isReadableJson(text)) return null;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // It only looks like JSON, and is shown as it is.
    return null;
  }
}

/**
 * The text with the lines marked that hold what the JSON pointer points to; where nothing is there, the line that opens
 * the nearest value around it. Unmarked where the text is no JSON, or the pointer means the whole. `note` stands beside
 * the mark. Source: RFC 6901.
 */
export function marked(json: string, pointer: string, note = ''): readonly Piece[] {
  const range = pointer === '' ? null : rangeOf(json, pointer);
  if (range === null) return [{ text: json, mark: false }];
  const from = json.lastIndexOf('\n', range.from) + 1;
  const end = json.indexOf('\n', range.to);
  const to = end < 0 ? json.length : end;
  return [
    { text: json.slice(0, from), mark: false },
    { text: json.slice(from, to), mark: true, ...(note === '' ? {} : { note }) },
    { text: json.slice(to), mark: false },
  ].filter(({ text }) => text !== '');
}

function rangeOf(json: string, pointer: string): { readonly from: number; readonly to: number } | null {
  const root = isReadableJson(json) ? parseTree(json) : undefined;
  if (root === undefined) return null;
  const steps = pointer
    .slice(1)
    .split('/')
    .map((step) => step.replace(/~1/g, '/').replace(/~0/g, '~'));
  const node = nodeAt(root, steps);
  if (node !== undefined) {
    const whole = node.parent?.type === 'property' ? node.parent : node;
    return { from: whole.offset, to: node.offset + node.length - 1 };
  }
  const around = steps.map((_, index) => nodeAt(root, steps.slice(0, steps.length - 1 - index))).find(Boolean);
  if (around === undefined || around === root) return null;
  const opening = around.parent?.type === 'property' ? around.parent.offset : around.offset;
  return { from: opening, to: around.offset };
}

/** A step is a member's name, or an index where a list is. */
function nodeAt(root: Node, steps: readonly string[]): Node | undefined {
  return steps.reduce<Node | undefined>(
    (node, step) => node && findNodeAtLocation(node, [node.type === 'array' ? Number(step) : step]),
    root,
  );
}
