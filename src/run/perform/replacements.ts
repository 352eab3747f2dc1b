// Makes anew what this run made and lives by, where it is lost on the way, and leads later experiments to it. Nobody is blamed here: a
// thing may expire, be renamed, or go with another one.

import { plural } from '../../contract/numbers.ts';
import type { ExperimentName } from '../../contract/report.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { isGone, isSuccess } from '../../facts/answered.ts';
import { trimmed, valuesOf } from '../../facts/paths.ts';
import { NotSent } from '../../probes/probe.ts';
import { note } from '../../probes/reach/noting.ts';
import { planOf } from '../../probes/reach/recipe.ts';
import { isWithin } from '../../probes/reach/undoing.ts';
import { drawFor, type Reached, type World } from '../../probes/world.ts';
import type { CreationWatch } from '../books/creation-watch.ts';
import type { Creations } from '../books/creations.ts';
import type { Made } from '../books/made.ts';
import { spotKey } from '../plan/clause-target.ts';
import { ledTo, type Moved } from './led-to.ts';
import { isSound } from './present-state.ts';

export interface ReplacementsOptions {
  readonly creations: Pick<Creations, 'needed' | 'letGo'>;
  readonly watch: Pick<CreationWatch, 'madeBy'>;
  /** A call, unlike earlier ones, of what made the object; null where it was never called with success. */
  readonly planFor: (made: Made, serial: string) => RequestPlan | null;
  /** Nothing is to be called by the object, or by what lies below it, any more. */
  readonly forget: (made: Made) => void;
  /** Takes in what a success of its create shows. */
  readonly learn: (made: Made, exchange: Exchange) => void;
}

/** The options by which an object is made anew by the call that reached its create. `reached`: by operation key with service. */
export function replacingBy(
  world: World,
  reached: ReadonlyMap<string, Reached>,
  { creations, watch }: { readonly creations: Creations; readonly watch: CreationWatch },
): ReplacementsOptions {
  return {
    creations,
    watch,
    planFor(made, serial) {
      const maker = reached.get(spotKey(made));
      if (maker?.proof == null) return null;
      const change = { retry: 'contract', needed: 'run', ...(made.ours ? {} : { elsewhere: true as const }) } as const;
      const plan = planOf(maker.recipe, PROBE, drawFor(world, serial), change);
      return trimmed(plan.path) === made.path ? { ...plan, makes: 'named' } : plan;
    },
    forget: ({ collection, id, path }) => world.knowledge.forgetAll(collection, id ?? '', path),
    learn(made, exchange) {
      const maker = reached.get(spotKey(made));
      if (maker === undefined) return;
      const pathValues = valuesOf(maker.operation.path, exchange.plan.path);
      note(world, { ...maker.recipe, pathValues }, exchange);
    },
  };
}

/** A path that was read with success, how, and how many changes the run had sent by then. */
interface Read {
  readonly plan: RequestPlan;
  readonly changes: number;
}

const PROBE = 'reach/anew';
/** Maximum numbers of paths and of changes that are remembered. */
const MAX_READ = 2000;
const MAX_CHANGES = 50;
/** Maximum number of vain looks whether a thing is lost: a path below it that is not there is answered 404, too. */
const MAX_LOOKS = 10;
const CHANGING: readonly string[] = ['POST', 'PUT', 'PATCH', 'DELETE'];
/** Maximum number of losses that are told one by one. */
const MAX_TOLD = 3;

export class Replacements {
  readonly #options: ReplacementsOptions;
  readonly #send: (plan: RequestPlan) => Promise<Exchange>;
  readonly #read = new Map<string, Read>();
  readonly #changes: RequestPlan[] = [];
  #changed = 0;
  /** Paths below each thing, under its own path, that are answered 404 while the thing is there. */
  readonly #absent = new Map<string, Set<string>>();
  /** The operations that made things which were lost. */
  readonly #kinds = new Set<string>();
  readonly #moved: Moved[] = [];
  /** How many things had moved when an experiment began: it stays with what it began with. */
  readonly #begun = new WeakMap<ExperimentName, number>();
  readonly #told: string[] = [];
  #isLooking = false;
  #isOver = false;

  /** `send` sends a request of the run itself, whose answer is observed as any other is. */
  constructor(options: ReplacementsOptions, send: (plan: RequestPlan) => Promise<Exchange>) {
    this.#options = options;
    this.#send = send;
  }

  /** From now on things are taken away on purpose. */
  end(): void {
    this.#isOver = true;
  }

  /** The losses and what came of them, a line each. */
  get told(): readonly string[] {
    const more = this.#told.length - MAX_TOLD;
    return more > 0
      ? [...this.#told.slice(0, MAX_TOLD), `${plural(more, 'more was', 'more were')} lost on the way`]
      : this.#told;
  }

  observe({ plan, response }: Exchange): void {
    const path = trimmed(plan.path);
    const status = response?.status ?? 0;
    if (plan.method === 'GET') {
      const isKnown = this.#read.has(path) || this.#read.size < MAX_READ;
      if (isSuccess(status) && plan.query === '' && isSound(plan) && isKnown)
        this.#read.set(path, { plan, changes: this.#changed });
      return;
    }
    if (!CHANGING.includes(plan.method) || (status >= 400 && status < 500)) return;
    this.#changed += 1;
    this.#changes.push(plan);
    if (this.#changes.length > MAX_CHANGES) this.#changes.shift();
    if (plan.method !== 'DELETE') return;
    for (const known of this.#read.keys()) if (isWithin(known, path)) this.#read.delete(known);
  }

  /** The plan with what was made anew in place of what was lost before its experiment began. */
  led(plan: RequestPlan): RequestPlan {
    const { experiment } = plan;
    if (experiment === undefined || plan.undoes === true) return plan;
    const known = this.#begun.get(experiment) ?? this.#moved.length;
    this.#begun.set(experiment, known);
    return this.#moved.slice(0, known).reduce(ledTo, plan);
  }

  /** Where the answer says that something is not there: looks whether that is a thing which the run made, and makes it anew. */
  async assure(exchange: Exchange): Promise<void> {
    const doubted = this.#isLooking ? [] : this.#doubted(exchange);
    if (doubted.length === 0) return;
    this.#isLooking = true;
    try {
      for (const made of doubted) {
        if (await this.#replacedWhereLost(made)) return;
        this.#absent.set(made.path, (this.#absent.get(made.path) ?? new Set()).add(trimmed(exchange.plan.path)));
      }
    } finally {
      this.#isLooking = false;
    }
  }

  async #replacedWhereLost(made: Made): Promise<boolean> {
    const read = this.#readingOf(made);
    if (read === null) return false;
    const { experiment: _experiment, ...again } = read.plan;
    if (!isGone(await this.#send({ ...again, probe: PROBE }))) return false;
    const needed = this.#options.creations.needed();
    await this.#replace(made, `${made.path} was there and is gone${this.#after(read)}`);
    for (const one of needed.filter(({ path }) => path !== made.path && isWithin(path, made.path)))
      await this.#replace(one, `${one.path} is gone with ${made.path}`);
    return true;
  }

  /** Things along the path that the run lives by, outermost first. */
  #doubted(exchange: Exchange): readonly Made[] {
    const { plan } = exchange;
    if (this.#isOver || !isGone(exchange) || !isSound(plan) || plan.undoes === true) return [];
    const path = trimmed(plan.path);
    return this.#options.creations
      .needed()
      .filter((made) => isWithin(path, made.path) && isBySame(made, plan))
      .filter((made) => this.#mayBeLost(made, path))
      .toSorted((one, other) => one.path.length - other.path.length);
  }

  #mayBeLost(made: Made, path: string): boolean {
    const absent = this.#absent.get(made.path);
    return absent === undefined || (!absent.has(path) && absent.size < MAX_LOOKS);
  }

  /** The shortest path at or below the thing that was read with success; null for none. */
  #readingOf(made: Made): Read | null {
    const known = [...this.#read].filter(([path, { plan }]) => isWithin(path, made.path) && isBySame(made, plan));
    const [first] = known.toSorted(([one], [other]) => one.length - other.length);
    return first?.[1] ?? null;
  }

  async #replace(made: Made, loss: string): Promise<void> {
    this.#options.creations.letGo(made);
    this.#options.forget(made);
    const kind = spotKey(made);
    const outcome = this.#kinds.has(kind)
      ? `no other is made, for what ${made.operation} makes was lost before`
      : await this.#makeAnew(made);
    this.#kinds.add(kind);
    this.#told.push(`${loss}; ${outcome}`);
  }

  /** Calls the create once more; in words what came of it. */
  async #makeAnew(made: Made): Promise<string> {
    const { planFor, watch, learn } = this.#options;
    const plan = planFor(made, `anew${this.#kinds.size}`);
    if (plan === null) return 'nothing is known to make another';
    const last = await this.#sent(this.#moved.reduce(ledTo, plan));
    if (last instanceof NotSent) return `no other is made: ${last.message}`;
    const status = last.response?.status ?? 0;
    const anew = isSuccess(status) ? watch.madeBy(last) : null;
    if (anew?.id == null)
      return `no other is made: ${made.operation} is ${status === 0 ? 'not answered' : `answered ${status}`}`;
    learn(made, last);
    this.#moved.push({ from: made, to: anew });
    return `${made.operation} has made ${anew.path} in its place`;
  }

  async #sent(plan: RequestPlan): Promise<Exchange | NotSent> {
    try {
      return await this.#send(plan);
    } catch (error) {
      if (error instanceof NotSent) return error;
      throw error;
    }
  }

  /** The last change that the run sent after it was read so, a DELETE before any other; empty for none. */
  #after({ changes }: Read): string {
    const since = this.#changed - changes;
    const sent = since <= 0 ? [] : this.#changes.slice(-since);
    const last = sent.findLast(({ method }) => method === 'DELETE') ?? sent.at(-1);
    if (last === undefined) return '';
    const others = since > 1 ? ` (and ${since - 1} other ${since > 2 ? 'changes' : 'change'} of this run)` : '';
    return ` after ${last.method} ${last.path}${others}`;
  }
}

/** Tells whether the caller is the same: a thing that another caller may not see is answered 404, too. */
function isBySame({ credential }: Pick<Made, 'credential'>, plan: RequestPlan): boolean {
  return JSON.stringify(credential) === JSON.stringify(plan.credential);
}
