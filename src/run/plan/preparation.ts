// Works out ahead, in turns of the event loop, what takes long to work out of an operation's description: whoever needs
// it later has it at once.
import type { Clock } from '../../clock/clock.ts';
import { computeInTurns } from '../../clock/pieces.ts';
import { growInputs } from '../../generate/targets/operation-inputs.ts';
import type { Description, Operation } from '../../openapi/model/operation.ts';

const begun = new WeakMap<Operation, Promise<void>>();

/** Resolves when the inputs of the operation are known, and large unions in its bodies can be judged. */
export function prepareOperation(description: Description, operation: Operation, turn: Clock['turn']): Promise<void> {
  const preparing = begun.get(operation) ?? prepare(description, operation, turn);
  begun.set(operation, preparing);
  return preparing;
}

async function prepare(description: Description, operation: Operation, turn: Clock['turn']): Promise<void> {
  const bodies = [
    ...(operation.requestBody?.content ?? []).map(({ schema }) => ({ schema, direction: 'request' as const })),
    ...operation.responses.flatMap(({ content }) =>
      content.map(({ schema }) => ({ schema, direction: 'response' as const })),
    ),
  ];
  try {
    for (const { schema, direction } of bodies)
      if (schema !== null) await computeInTurns(description.prepare(schema, direction), turn);
    await computeInTurns(growInputs(description, operation), turn);
  } catch {
    // It fails where it is needed, too, and is told there.
  }
}
