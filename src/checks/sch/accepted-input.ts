// Remembers wrong values that this run sent and the target accepted. A target that takes them shows them: to accept them is
// REQ's to judge (an advisory, for most of them), so that they are shown is no breach of SCH-01 beside it.
import { hash } from 'node:crypto';
import type { Exchange } from '../../exchange/exchange.ts';
import { isSuccess } from '../answered.ts';

/** Values of one body, and of all of them, that are remembered. */
const MOST_OF_ONE = 300;
const MOST = 20_000;
/** Longer texts are remembered by their digest. Characters. */
const LONG = 200;

export class AcceptedInput {
  readonly #known = new Set<string>();

  /** Notes the members of a wrong or hostile body that was answered with a success. */
  observe({ plan, response }: Exchange): void {
    const isWrong = plan.intent === 'invalid' || plan.intent === 'hostile';
    if (!isWrong || !isSuccess(response?.status ?? 0) || this.#known.size > MOST) return;
    for (const [name, value] of membersOf(bodyOf(plan.body)).take(MOST_OF_ONE)) this.#known.add(keyOf(name, value));
  }

  /** Whether the value was accepted in a member of this name. */
  has(name: string, value: unknown): boolean {
    return this.#known.size > 0 && this.#known.has(keyOf(name, value));
  }
}

function bodyOf(body: Exchange['plan']['body']): unknown {
  if (body.kind === 'json') return body.value;
  if (body.kind !== 'raw') return undefined;
  try {
    return JSON.parse(body.text);
  } catch {
    return undefined;
  }
}

/** Members at every depth by their names; items go by the name of their list. Without recursion: bodies may be nested deeply. */
function* membersOf(root: unknown): Generator<readonly [name: string, value: unknown]> {
  const open: (readonly [string, unknown])[] = [['', root]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [name, value] = next;
    if (name !== '') yield next;
    if (typeof value !== 'object' || value === null) continue;
    const members = Array.isArray(value) ? value.map((item) => [name, item] as const) : Object.entries(value);
    open.push(...members.slice(0, MOST_OF_ONE));
  }
}

function keyOf(name: string, value: unknown): string {
  const text = textOf(value);
  return `${name}\n${text.length <= LONG ? text : hash('sha256', text)}`;
}

function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    // Nested too deeply to be written.
    return '';
  }
}
