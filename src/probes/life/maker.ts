// Makes the items whose life is followed, each with a body of its own, and one create that the description refuses.

import type { RequestPlan } from '../../exchange/exchange.ts';
import { chosenName, describedMembers } from '../../facts/kind.ts';
import { type DescribedMembers, shapesOf } from '../../facts/members.ts';
import { fillPath } from '../../facts/paths.ts';
import { type Fullness, jsonBodyType } from '../../generate/bodies.ts';
import { markIn } from '../../generate/preferred.ts';
import { spoilerCandidates } from '../../generate/spoilers.ts';
import { isObject, type JsonObject, membersOf } from '../../openapi/json.ts';
import { type BodyChange, contraryOf, LETTERS, lettersBy, nullsWhere, planChangedBy } from '../reach/contrary.ts';
import { markedBody } from '../reach/marked-body.ts';
import { bodyNaming } from '../reach/own-id.ts';
import { planOf } from '../reach/recipe.ts';
import { ownNameFor } from '../requests/harmless.ts';
import { drawFor, type World } from '../world.ts';
import { withMembers } from './changes.ts';
import { kindOf, type Lifecycle, PROBE } from './lifecycle.ts';

/** A required member that is missing, and an object in place of a scalar. */
const MUST_BE_REFUSED: ReadonlySet<string> = new Set(['missing', 'wrong-type']);

/** Other values than usual, letters beyond ASCII, and null where nothing else is unusual: what a target loses of these shows in one item. */
export const unusualOf: BodyChange = (description, schema, body) => {
  const contrary = contraryOf(description, schema, body);
  const changed = lettersBy(LETTERS.join(' '))(description, schema, contrary ?? body) ?? contrary ?? body;
  const isUsual = (name: string): boolean => changed[name] === body[name];
  const nulled = nullsWhere(isUsual)(description, schema, changed);
  return nulled ?? (changed === body ? null : changed);
};

export class Maker {
  readonly #world: World;
  readonly #cycle: Lifecycle;
  /** The parameter that names what is made; null: the target gives ids. */
  readonly #parameter: string | null;
  readonly #members: DescribedMembers;
  #made = 0;
  #named = 0;
  /** How much the bodies hold that creates take. */
  #asMade: Fullness = 'full';

  constructor(world: World, cycle: Lifecycle) {
    this.#world = world;
    this.#cycle = cycle;
    this.#parameter = chosenName(kindOf(cycle));
    const { description, operation } = cycle.creator;
    this.#members = describedMembers(description, operation, (cycle.reader ?? cycle.creator).operation);
  }

  /** From now on bodies are like those that were accepted before; false where they were. */
  simplify(): boolean {
    const { fullness } = this.#cycle.creator.recipe;
    const isSimpler = this.#asMade !== fullness;
    this.#asMade = fullness;
    return isSimpler;
  }

  /** A create with a body of its own, as full as is accepted. */
  planOfCreate(): RequestPlan {
    const { creator } = this.#cycle;
    this.#made += 1;
    const label = `life ${creator.operation.key} ${this.#made}`;
    const from = { ...creator, recipe: { ...creator.recipe, fullness: this.#asMade } };
    const { body } = markedBody(this.#world, from, label, this.#made);
    const change = body === null ? {} : { body };
    return this.anew(planOf(creator.recipe, PROBE, drawFor(this.#world, label), { ...change, needed: 'experiment' }));
  }

  /** Tells whether its sender chooses the name of what a create makes. */
  get isNamed(): boolean {
    return this.#parameter !== null;
  }

  /** The create under a name that nothing has, where its sender chooses that; else as it is. */
  anew(plan: RequestPlan): RequestPlan {
    const [{ creator }, parameter] = [this.#cycle, this.#parameter];
    if (parameter === null) return plan;
    this.#named += 1;
    const id = ownNameFor(this.#world, creator, parameter, `life${this.#named}`);
    const path = fillPath(creator.operation.path, { ...creator.recipe.pathValues, [parameter]: id });
    const { body, makes = 'named' } = plan;
    return { ...plan, path, makes, body: bodyNaming(body, { id, parameter }, this.#members.wrapper) };
  }

  /** A create of its own with this value of a member; null where the description lets clients send none. */
  planOfCreateWith(name: string, value: unknown): RequestPlan | null {
    const [shape] = shapesOf(this.#members, name);
    if (shape === null || shape.readOnly === true) return null;
    if (Array.isArray(shape.enum) && !shape.enum.includes(value)) return null;
    return this.planOfCreateWithAll({ [name]: value });
  }

  /** A create of its own with these members; null where it sends none. */
  planOfCreateWithAll(members: JsonObject): RequestPlan | null {
    return withMembers(this.planOfCreate(), members, this.#members);
  }

  /** A create of its own whose body is changed so; null where the description allows no such change. */
  planOfCreateBy(change: BodyChange): RequestPlan | null {
    return planChangedBy(change, this.#cycle.creator, this.planOfCreate());
  }

  /** A create that must be refused, and carries a text by which it could be found; null where there is none such. */
  planOfRefusedCreate(): RequestPlan | null {
    const { operation, description, recipe } = this.#cycle.creator;
    const schema = jsonBodyType(operation)?.schema ?? null;
    const plan = this.planOfCreate();
    if (schema === null || plan.body.kind !== 'json') return null;
    const sound = plan.body.value;
    const candidates = spoilerCandidates(description, schema, sound).filter(
      ({ spoiler, isClean }) => MUST_BE_REFUSED.has(spoiler.kind) && isClean && this.#isMarked(spoiler.body),
    );
    // A name that is spoiled itself may be left out of what is kept.
    const lacking = candidates.find(({ spoiler }) => this.#keepsMarks(sound, spoiler.body)) ?? candidates[0];
    if (lacking === undefined) return null;
    const body = { kind: 'json', value: lacking.spoiler.body } as const;
    const from = drawFor(this.#world, `life ${operation.key} refused`);
    return this.anew(planOf(recipe, PROBE, from, { body, intent: 'invalid', makes: 'nothing' }));
  }

  #keepsMarks(sound: unknown, spoiled: unknown): boolean {
    if (!isObject(sound) || !isObject(spoiled)) return false;
    return membersOf(sound).every(
      ([name, value]) => typeof value !== 'string' || !this.#isMarked(value) || spoiled[name] === value,
    );
  }

  #isMarked(body: unknown): boolean {
    return markIn(JSON.stringify(body) ?? '', this.#world.nonce) !== null;
  }
}
