// Sends requests for pages, within an allowance, and keeps what they answered until the list is known to have changed.
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import type { Send } from '../probe.ts';
import { planOf, queryText } from '../reach/recipe.ts';
import { drawFor, type World } from '../world.ts';
import type { ListOperation, Pairs } from './list-operation.ts';

/** How a page is asked for. */
type How = Pick<RequestPlan, 'retry' | 'intent'>;

const SOUND: How = { retry: 'contract' };
/** Whatever is answered first is the answer. */
export const AT_ONCE: How = { retry: 'never' };
/** The same for a value that no page can be asked by. */
export const BAD_VALUE: How = { retry: 'never', intent: 'invalid' };

export class PageReader {
  readonly #world: World;
  readonly #list: ListOperation;
  readonly #send: Send;
  /** Requests left for cases, and for looking again at what seems a breach and for shrinking it. */
  #cases: number;
  #looks: number;
  /** Whether further cases are charged to the looks: a breach is being shrunk. */
  shrinking = false;
  /** What ended the run while a page was asked for; nothing is sent after it. */
  ended: unknown = null;

  constructor(world: World, list: ListOperation, send: Send, cases: number, looks: number) {
    this.#world = world;
    this.#list = list;
    this.#send = send;
    this.#cases = cases;
    this.#looks = looks;
  }

  /** Sends one case; null when the allowance is spent or the run has ended. */
  async ask(pairs: Pairs, probe: string, how: How = SOUND): Promise<Exchange | null> {
    if (this.shrinking) return this.lookAgain(pairs, probe, how);
    if (this.#cases <= 0) return null;
    this.#cases -= 1;
    return this.#sendOne(pairs, probe, how);
  }

  /** Sends what was sent before. */
  async lookAgain(pairs: Pairs, probe: string, how: How = SOUND): Promise<Exchange | null> {
    if (this.#looks <= 0) return null;
    this.#looks -= 1;
    return this.#sendOne(pairs, probe, how);
  }

  /** Sends a GET of an address that a page told. `again`: it was sent before. */
  async askAt(
    { path, query }: Pick<RequestPlan, 'path' | 'query'>,
    probe: string,
    { again }: { readonly again: boolean },
  ): Promise<Exchange | null> {
    if ((again ? this.#looks : this.#cases) <= 0) return null;
    if (again) this.#looks -= 1;
    else this.#cases -= 1;
    return this.#sendAt({ path, query, ...SOUND }, probe);
  }

  async #sendOne(pairs: Pairs, probe: string, how: How): Promise<Exchange | null> {
    const { paging, reached } = this.#list;
    const { recipe } = reached;
    const { size = null, turn = null } = paging.stated?.parameters ?? {};
    const named = [paging.size?.name, paging.turner?.name, size, turn];
    const replaced = new Set([...named, ...pairs.map(([name]) => name)]);
    const query = queryText([...recipe.query.filter(([name]) => !replaced.has(name)), ...pairs]);
    return this.#sendAt({ query, ...how }, probe);
  }

  async #sendAt(change: Partial<RequestPlan>, probe: string): Promise<Exchange | null> {
    if (this.ended !== null) return null;
    const { recipe } = this.#list.reached;
    const plan = planOf(recipe, `pagination/${probe}`, drawFor(this.#world, 'pagination'), change);
    try {
      return (await this.#send(plan)).last;
    } catch (error) {
      this.ended = error;
      return null;
    }
  }
}
