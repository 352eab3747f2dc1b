// Finds what earlier runs made and could not delete, as they wrote it down, so that this run uses it and makes less anew.
import type { Config } from '../../config/config.ts';
import { exactBody, jsonBody } from '../../exchange/body.ts';
import type { Credential, Exchange } from '../../exchange/exchange.ts';
import { partedPath } from '../../facts/paths.ts';
import { isObject } from '../../openapi/json.ts';
import type { Catalogue } from '../../openapi/model/catalogue.ts';
import { unlessNotSent } from '../../probes/probe.ts';
import { deleterAt, readerAt } from '../../probes/reach/undoing.ts';
import type { Announced, JournalledObject } from '../books/journal.ts';
import type { Made } from '../books/made.ts';
import { planAt } from './clean-up.ts';
import type { StageState } from './state.ts';

/** Maximum number of objects that are looked for in all: each costs a request. */
const MOST_LOOKED_FOR = 40;
/** Maximum share of a budget that is spent on it. */
const SHARE_OF_BUDGET = 0.05;

/** The object of a journal as the books of a run know it. */
export function madeBy(
  { intent, path, isNamed, undoable }: JournalledObject,
  catalogue: Catalogue,
  config: Config,
): Made {
  const [collection, id] = isNamed ? partedPath(path) : [path, null];
  const { service, operation } = intent;
  const deleter = undoable ? deleterAt(catalogue, path) : null;
  return { service, operation, collection, id, path, deleter, ours: true, credential: credentialOf(intent, config) };
}

/** The key that the request was sent under, where it is still configured. */
export function credentialOf({ key }: Announced, { keys }: Config): Credential {
  return key !== null && keys.some(({ name }) => name === key) ? { kind: 'key', name: key } : { kind: 'none' };
}

/**
 * The objects of earlier runs that this run looks for, newest first: objects with an id, made by operations that it
 * selects, as many of each as it may make itself.
 */
function chooseLeftObjects(
  left: readonly JournalledObject[],
  { catalogue, selected }: Pick<StageState['scope'], 'catalogue' | 'selected'>,
  { config, options: { budget } }: Pick<StageState['input'], 'config' | 'options'>,
): readonly Made[] {
  const most = Math.min(MOST_LOOKED_FOR, Math.floor((budget ?? Number.POSITIVE_INFINITY) * SHARE_OF_BUDGET));
  const counts = new Map<string, number>();
  const chosen = new Map<string, Made>();
  for (const object of left) {
    const { service, operation } = object.intent;
    const isSelected = selected.some((one) => one.operation.service === service && one.operation.key === operation);
    const key = `${service} ${operation}`;
    const count = counts.get(key) ?? 0;
    if (!isSelected || !object.isNamed || object.isGone || chosen.has(object.path)) continue;
    if (count >= config.limits.created.perOperation || chosen.size >= most) continue;
    counts.set(key, count + 1);
    chosen.set(object.path, madeBy(object, catalogue, config));
  }
  return [...chosen.values()];
}

/**
 * Reads each object. What is gone is made anew; what stands counts for the limits, and what was read is known as this
 * program's own. What nothing reads counts as standing. The answers are not judged: whether an old object is there tells
 * nothing of the target.
 */
export async function inherit(state: StageState): Promise<void> {
  const { world, input, scope } = state;
  const { creations } = state.books;
  for (const made of chooseLeftObjects(input.left, scope, input)) {
    const answer = await readAgain(state, made);
    if (answer !== null && isGone(answer)) continue;
    creations.inherit(made);
    const body = answer === null || (answer.response?.status ?? 0) !== 200 ? null : exactBody(answer);
    if (body !== null && made.id !== null)
      world.knowledge.noteLeft(made.collection, made.id, body.ok ? body.value : null);
  }
}

/** The answer of the operation that reads the object; null where there is none, or it may not be sent. */
async function readAgain({ session, world, scope: { catalogue } }: StageState, made: Made): Promise<Exchange | null> {
  const reader = readerAt(catalogue, made.path);
  if (reader === null) return null;
  return unlessNotSent(async () => {
    const plan = planAt(world, reader, made, 'reach/earlier');
    return (await session.send({ ...plan, elsewhere: true })).last;
  });
}

/** Resources that say of themselves that they are no more. */
const DELETED_STATE = /delet|remov|archiv|trash/i;

/** Tells whether a resource that can still be read says that it is deleted. */
function saysDeleted(exchange: Exchange): boolean {
  const body = jsonBody(exchange);
  if (!body.ok || !isObject(body.value)) return false;
  const whole = [body.value, ...Object.values(body.value).filter(isObject)];
  return whole.some((one) =>
    Object.entries(one).some(([name, value]) =>
      /^(status|state)$/i.test(name)
        ? typeof value === 'string' && DELETED_STATE.test(value)
        : /^(is_?)?deleted(_?at)?$/i.test(name) && value !== null && value !== false,
    ),
  );
}

function isGone(answer: Exchange): boolean {
  const status = answer.response?.status ?? 0;
  return status === 404 || status === 410 || (status === 200 && saysDeleted(answer));
}
