// Leads an item that the run has made through states that requests name: it is read, changed, and its former states are
// named. The course makes history; what that shows, the laws say.

import { jsonText } from '../../exchange/body.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { succeeded } from '../../facts/answered.ts';
import { type Tag, tagOf } from '../../facts/etag.ts';
import type { ItemFact } from '../../facts/item-facts.ts';
import type { Item } from '../../facts/item-history.ts';
import type { DescribedMembers } from '../../facts/members.ts';
import { withMembersChanged } from '../../facts/wrapper.ts';
import { isValid } from '../../generate/bodies.ts';
import { type JsonObject, membersOf } from '../../openapi/json.ts';
import { othersThan } from '../life/changes.ts';
import { type Lab, StepEnded } from '../life/lab.ts';
import { markedBody } from '../reach/marked-body.ts';
import type { Reached } from '../world.ts';

const WRITERS = ['amender', 'replacer'] as const;
type Writer = (typeof WRITERS)[number];

/** A tag that no state has. */
const NO_STATE = '"assay-no-state"';

export async function followTags(lab: Lab): Promise<void> {
  const item = await lab.attempt(() => lab.first(), { clauses: lab.judging.clauses, on: lab.cycle.creator });
  if (item !== null) await follow(lab, item);
}

/** The same on what was there before, which the run has written already; in the end its members have the values that they had. */
export async function followFound(lab: Lab, reading: Exchange): Promise<void> {
  const item = lab.history.adopt(reading);
  await follow(lab, item);
  const first = item.facts.find(({ kind }) => kind === 'shown')?.shown ?? null;
  const role = WRITERS.findLast((one) => isInScope(lab.cycle[one])) ?? plainWriter(lab) ?? 'amender';
  if (first !== null) await lab.attempt(() => restore(lab, item, role, first));
}

async function restore(lab: Lab, item: Item, role: Writer, first: JsonObject): Promise<void> {
  const { plan } = bodyPlan(lab, item, role);
  const restored = withMembersChanged(plan, lab.membersOf(role), (own) => asShown(own, first));
  if (restored === null) return;
  const tag = isInScope(lab.cycle[role]) ? (await presentTag(lab, item)).text : null;
  await lab.exchange(withHeader(restored, 'If-Match', tag));
}

/** The members with the values that are shown. */
function asShown(own: JsonObject, shown: JsonObject): JsonObject {
  return Object.fromEntries(membersOf(own).map(([name, value]) => [name, shown[name] ?? value]));
}

async function follow(lab: Lab, item: Item): Promise<void> {
  const { reader } = lab.cycle;
  const first = await lab.attempt(() => lab.read(item), { clauses: lab.judging.clauses, on: reader });
  const tag = first === null ? null : tagOf(first.exchange);
  if (tag === null) return;
  await lab.attempt(() => lab.read(item));
  await lab.attempt(() => readIf(lab, item, tag.text));
  if (!tag.isWeak) await lab.attempt(() => readIf(lab, item, `W/${tag.text}`));
  const writers = WRITERS.filter((role) => isInScope(lab.cycle[role]));
  for (const role of writers) await lab.attempt(() => changeBy(lab, item, role));
  const plain = plainWriter(lab);
  if (writers.length === 0 && plain !== null) await lab.attempt(() => changePlainly(lab, item, plain));
  await lab.attempt(() => removeBy(lab, item, tag));
}

export function isInScope(reached: Reached | null): boolean {
  return reached?.operation.conditional === true;
}

/** A write that takes no conditions; null where none is described. */
function plainWriter({ cycle }: Lab): Writer | null {
  return WRITERS.findLast((role) => cycle[role] !== null) ?? null;
}

/** The item changed by a write that takes no conditions: what was read of it before is a former state. */
async function changePlainly(lab: Lab, item: Item, role: Writer): Promise<void> {
  const former = await presentTag(lab, item);
  const mark = await writeIf(lab, item, role, null);
  if (mark === null) throw new StepEnded('no write of the item is accepted');
  await tagShowing(lab, item, mark);
  await readIf(lab, item, former.text);
}

/** The item changed by a write that names its state, then read and written by the names of the state before that. */
async function changeBy(lab: Lab, item: Item, role: Writer): Promise<void> {
  const former = await presentTag(lab, item);
  const mark =
    (await writeIf(lab, item, role, former.text)) ??
    (await writeIf(lab, item, role, null)) ??
    (await writeIf(lab, item, role, '*'));
  if (mark === null) throw new StepEnded('no write of the item is accepted');
  const present = await tagShowing(lab, item, mark);
  if (present.opaque !== former.opaque) {
    await readIf(lab, item, former.text);
    await writeIf(lab, item, role, former.text);
    await lab.read(item);
  }
  const now = await presentTag(lab, item);
  await readIf(lab, item, now.text);
  await writeIf(lab, item, role, now.isWeak ? now.text : `W/${now.text}`);
  await lab.read(item);
  await lab.attempt(() => changeOne(lab, item, role));
  await lab.only('whole', () => nameMore(lab, item, role));
}

/** Another member than those that other writes change, alone: a tag is of the whole state. */
async function changeOne(lab: Lab, item: Item, role: Writer): Promise<void> {
  const { text } = await presentTag(lab, item);
  const { plan, mark } = bodyPlan(lab, item, role);
  const changed = withOneChanged(plan, lab.membersOf(role), { mark, shown: item.shown ?? {} });
  if (changed === null) return;
  const named = await lab.exchange(withHeader(changed, 'If-Match', text));
  if (!succeeded(named)) await lab.exchange(withHeader(changed, 'If-Match', null));
  await lab.read(item);
}

/** The write with every member as it is shown but one, which is none of those with the mark; null where none can be changed so. */
function withOneChanged(
  plan: RequestPlan,
  members: DescribedMembers,
  { mark, shown }: { readonly mark: string; readonly shown: JsonObject },
): RequestPlan | null {
  const isMarked = (value: unknown): boolean => mark !== '' && jsonText(value).toLowerCase().includes(mark);
  const others = (value: unknown): readonly unknown[] =>
    typeof value === 'string' ? [`assay ${mark}`] : othersThan(value);
  return withMembersChanged(plan, members, (own) => {
    const bodies = membersOf(own).flatMap(([name, value]) =>
      name in shown && !isMarked(value)
        ? others(shown[name]).map((other) => ({ ...asShown(own, shown), [name]: other }))
        : [],
    );
    return bodies.find((one) => isValid(members.description, members.sent, one)) ?? null;
  });
}

/** Any state, and one among several. */
async function nameMore(lab: Lab, item: Item, role: Writer): Promise<void> {
  const mark = await writeIf(lab, item, role, '*');
  const present = await tagShowing(lab, item, mark ?? '');
  if (present.isWeak) return;
  const next = await writeIf(lab, item, role, `${NO_STATE}, ${present.text}`);
  await tagShowing(lab, item, next ?? '');
}

/** A delete that names another state than the present one, and one that names that; what others go on to use is not deleted. */
async function removeBy(lab: Lab, item: Item, former: Tag): Promise<void> {
  if (!isInScope(lab.cycle.remover) || lab.spare !== null) return;
  const present = await presentTag(lab, item);
  const others = former.opaque === present.opaque ? NO_STATE : former.text;
  for (const tag of present.isWeak ? [others] : [others, present.text]) {
    await lab.exchange(withHeader(lab.planAt(item, 'remover'), 'If-Match', tag));
    await lab.read(item);
  }
}

/** The tag of the present state, as a reading shows it. */
async function presentTag(lab: Lab, item: Item): Promise<Tag> {
  const newest: ItemFact = item.newest?.kind === 'shown' ? item.newest : await lab.read(item);
  const tag = tagOf(newest.exchange);
  if (tag === null) throw new StepEnded('the item is read without an ETag');
  return tag;
}

/** The tag of the state that shows the text, as soon as a reading does, or has had the time to. */
async function tagShowing(lab: Lab, item: Item, mark: string): Promise<Tag> {
  await lab.read(item, (shown) => jsonText(shown).toLowerCase().includes(mark));
  return presentTag(lab, item);
}

async function readIf(lab: Lab, item: Item, tag: string): Promise<void> {
  const { headers } = withHeader(lab.planAt(item, 'reader'), 'If-None-Match', tag);
  await lab.read(item, undefined, { headers });
}

/** Sends a write with a body that no other has; a text in it, where it was accepted, else null. `tag`: null for no condition. */
async function writeIf(lab: Lab, item: Item, role: Writer, tag: string | null): Promise<string | null> {
  const { plan, mark } = bodyPlan(lab, item, role);
  const sent = await lab.exchange(withHeader(plan, 'If-Match', tag));
  return succeeded(sent) ? mark : null;
}

function bodyPlan(lab: Lab, item: Item, role: Writer): { readonly plan: RequestPlan; readonly mark: string } {
  const writer = lab.cycle[role];
  if (writer === null) throw new StepEnded('no such operation is described');
  const turn = item.facts.length;
  const { body, mark } = markedBody(lab.world, writer, `conditional ${writer.operation.key} ${turn}`, turn);
  if (body === null) throw new StepEnded('the write takes no body');
  return { plan: lab.planAt(item, role, { body, makes: 'nothing' }), mark: mark ?? '' };
}

/** The plan with the condition in place of any other, the one that is filled in when it is sent included; null: without. */
function withHeader({ asRead: _, ...plan }: RequestPlan, name: string, value: string | null): RequestPlan {
  const others = plan.headers.filter(([one]) => one.toLowerCase() !== name.toLowerCase());
  return { ...plan, headers: value === null ? others : [...others, [name, value]] };
}
