// Summaries and descriptions as long as real exports have them.
import type { Draw } from './draw.ts';
import { plain } from './names.ts';
import type { Kind, Planned } from './planned.ts';

const OPENINGS: Readonly<Record<Kind, readonly string[]>> = {
  list: [
    'Returns the {things} that the account may see.',
    'Lists {things}; filters that are given together must all match.',
    'Reads {things}, newest first unless the shop settings say otherwise.',
  ],
  create: [
    'Creates one of the {things} and returns it with the id under which it is found from now on.',
    'Adds to the {things} of the account. Members that are left out get their defaults.',
  ],
  read: [
    'Returns one of the {things} with everything that is known of it.',
    'Reads a single record of the {things} by its id.',
  ],
  change: [
    'Changes what the body names and leaves everything else of the {things} as it is.',
    'Takes over the members of the body. Lists are replaced whole, never merged.',
  ],
  delete: [
    'Removes it from the {things}. What refers to it keeps the id and shows it as deleted.',
    'Deletes for good; a copy stays in the audit trail for the legal period.',
  ],
  action: [
    'Carries out the action at once and answers when it is done.',
    'Runs the action on the {things}; what was done before is not undone when it fails halfway.',
  ],
  report: ['Figures over the {things}, counted when they are asked for.', 'An overview of the {things}.'],
};

const REMARKS = [
  'Amounts are in the smallest unit of their currency; no rounding takes place on the way.',
  'Times are in UTC. A time zone that is sent along is used for display alone.',
  'Members that are unknown to the service are ignored unless the record says otherwise.',
  'The answer shows the record as it is after the call, including what other calls changed meanwhile.',
  'Staff members see what their role allows; everything else looks as if it did not exist.',
  'Texts may hold any Unicode character; markup is cleaned before it is stored.',
  'Webhooks that listen to this resource are told after the answer has been sent.',
  'Records that were imported carry the id of their source, which is never shown to shoppers.',
  'Large accounts may see the change in search results a few seconds later.',
  'Translations fall back to the default language of the store, member by member.',
];

/** Two to six sentences, the first of them about the operation. */
export function descriptionOf({ kind, tag, operationId }: Planned, draw: Draw): string {
  const things = plain(tag);
  const opening = draw.pick(OPENINGS[kind], `opening of ${operationId}`).replaceAll('{things}', things);
  const count = draw.between(1, 5, `remarks of ${operationId}`);
  return [opening, ...draw.shuffled(REMARKS, `which remarks of ${operationId}`).slice(0, count)].join(' ');
}
