// Remembers wrong values that this run sent and the target accepted. A target that takes them shows them: to accept them is
// REQ's to judge (an advisory, for most of them), so that they are shown is no breach of SCH-01 beside it.

import { hash } from 'node:crypto';
import { jsonText } from '../../exchange/body.ts';
import { parsedJson } from '../../exchange/decoded.ts';
import type { Exchange, PlannedBody } from '../../exchange/exchange.ts';
import { formParts } from '../../exchange/form.ts';
import { oncePer } from '../../exchange/once-per.ts';
import { isSuccess } from '../../facts/answered.ts';
import { isContainer } from '../../openapi/json.ts';

/** Values of one body, and of all of them, that are remembered. */
const MOST_OF_ONE = 300;
const MOST = 20_000;
/** Longer texts are remembered by their digest. Characters. */
const LONG = 200;
/** Maximum text written of the objects and lists of one body, outermost first: each level holds all deeper ones. Characters. */
const MOST_WRITTEN = 50_000;
/** Length that a value counts as which is nested too deeply to be written: trying to write it costs about as much. Characters. */
const UNWRITTEN = 5_000;

export class AcceptedInput {
  readonly #known = new Set<string>();
  /** Bodies under way, and how often: others may be shown one before its own answer comes. What was lost may have been accepted. */
  readonly #underWay = new Map<PlannedBody, number>();
  /** The keys of bodies that were under way when somebody asked: few runs ever ask. */
  readonly #keysOnce = oncePer((body: PlannedBody): ReadonlySet<string> => new Set(keysOf(body)));

  /** Notes a wrong or hostile body that is about to be sent. */
  sent({ intent, body }: Exchange['plan']): void {
    if (isRemembered(intent)) this.#underWay.set(body, (this.#underWay.get(body) ?? 0) + 1);
  }

  /** Notes whether what was sent was answered with a success. */
  observe({ plan, response }: Exchange): void {
    const { intent, body } = plan;
    if (response === null || !isRemembered(intent)) return;
    if (isSuccess(response.status) && this.#known.size <= MOST) for (const key of keysOf(body)) this.#known.add(key);
    const left = (this.#underWay.get(body) ?? 0) - 1;
    if (left > 0) this.#underWay.set(body, left);
    else this.#underWay.delete(body);
  }

  /** Tells whether the value was accepted in a member of this name, or may just have been. */
  has(name: string, value: unknown): boolean {
    if (this.#known.size + this.#underWay.size === 0) return false;
    const key = keyOf(name, jsonText(value));
    return this.#known.has(key) || this.#underWay.keys().some((body) => this.#keysOnce(body).has(key));
  }
}

function isRemembered(intent: Exchange['plan']['intent']): boolean {
  return intent === 'invalid' || intent === 'hostile';
}

/** The keys of the members of a body. */
function keysOf(body: PlannedBody): readonly string[] {
  let written = 0;
  return [...membersOf(bodyOf(body)).take(MOST_OF_ONE)].flatMap(([name, value]) => {
    if (!isContainer(value)) return [keyOf(name, jsonText(value))];
    if (written > MOST_WRITTEN) return [];
    const text = jsonText(value);
    written += text === '' ? UNWRITTEN : text.length;
    return [keyOf(name, text)];
  });
}

function bodyOf(body: Exchange['plan']['body']): unknown {
  if (body.kind === 'json') return body.value;
  return body.kind === 'raw' ? (parsedJson(body.text) ?? fieldsIn(body)) : undefined;
}

/** The fields of a form by the last names in their brackets, each as a text and as what that text is in JSON. */
function fieldsIn({ text, contentType }: Extract<PlannedBody, { readonly kind: 'raw' }>): unknown {
  const lastName = (name: string): string => name.split(/[[\]]+/).findLast((part) => !/^\d*$/.test(part)) ?? '';
  return formParts(text, contentType)?.map((part) => ({ [lastName(part.name)]: [part.text, parsedJson(part.text)] }));
}

/** Members at every depth by their names; items go by the name of their list. Without recursion: bodies may be nested deeply. */
function* membersOf(root: unknown): Generator<readonly [name: string, value: unknown]> {
  const open: (readonly [string, unknown])[] = [['', root]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [name, value] = next;
    if (name !== '') yield next;
    if (!isContainer(value)) continue;
    const members = Array.isArray(value) ? value.map((item) => [name, item] as const) : Object.entries(value);
    open.push(...members.slice(0, MOST_OF_ONE));
  }
}

function keyOf(name: string, text: string): string {
  return `${name}\n${text.length <= LONG ? text : hash('sha256', text)}`;
}
