// How a check on each operation of a description is defined.
import type { Judgement } from '../../contract/judgement.ts';
import type { Description, Operation } from '../../openapi/model/operation.ts';
import type { DescriptionCheck, Under } from '../check.ts';

export interface OperationCheckDefinition {
  readonly clause: string;
  readonly title: string;
  /** null when the clause does not speak about this operation. */
  judge(operation: Operation, description: Description, under: Under): Judgement | null;
}

/** The check that judges every operation by itself. */
export function operationCheck({ clause, title, judge }: OperationCheckDefinition): DescriptionCheck {
  return {
    clause,
    title,
    judge: (description, under) =>
      description.operations.flatMap((operation) => {
        const judgement = judge(operation, description, under);
        return judgement === null ? [] : [{ operation: operation.key, judgement }];
      }),
  };
}
