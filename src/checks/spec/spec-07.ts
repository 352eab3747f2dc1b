// SPEC-07 (must): The header for idempotency keys is declared on the operations that the contract names. Tolerance:
//   Declared elsewhere: observation.

import { USUAL_KEY_HEADER } from '../../contract/customs.ts';
import { breached, cannotTell, noting, toldBreach } from '../../contract/judgement.ts';
import { operationMatcher } from '../../contract/operation-glob.ts';
import { appended } from '../../openapi/json.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import type { DescriptionCheck, DescriptionJudgement } from '../check.ts';

const OWNER = 'admin';

/** The header that carries keys, and the operations that declare it, as the contract states them. */
interface Stated {
  readonly header: string;
  readonly operations: readonly string[];
}

export const spec07: DescriptionCheck = {
  clause: 'SPEC-07',
  title: 'The header for keys is declared on the operations that take one',
  judge({ service, operations }, { terms: { idempotency } }) {
    const stated = { header: idempotency?.header ?? USUAL_KEY_HEADER, operations: idempotency?.operations ?? [] };
    const isStated = stated.operations.length === 0 ? () => false : operationMatcher(stated.operations);
    const judged = operations.flatMap((operation) => {
      if (isStated(operation.key)) return [judgeDemanded(operation, stated)];
      return declaresKey(operation, stated) ? [observe(operation, stated)] : [];
    });
    const keys = new Set(operations.map(({ key }) => key));
    const lacking = stated.operations.filter((key) => service === OWNER && !keys.has(key));
    return [...judged, ...lacking.map(lacks)];
  },
};

function declaresKey({ parameters }: Operation, { header }: Stated): boolean {
  const wanted = header.toLowerCase();
  return parameters.some(({ name, in: place }) => place === 'header' && name.toLowerCase() === wanted);
}

function judgeDemanded(operation: Operation, stated: Stated): DescriptionJudgement {
  const { key, pointer } = operation;
  if (declaresKey(operation, stated)) return { operation: key, judgement: breached([]) };
  const expected = `the header parameter ${stated.header}`;
  const message = `${key} does not declare ${stated.header}, expected ${expected}`;
  const kind = ['spec-07.not-declared', `${stated.header} is not declared`] as const;
  const told = toldBreach(kind, message, expected, 'not declared', appended(pointer, 'parameters'));
  return { operation: key, judgement: breached([told]) };
}

function observe({ key, pointer }: Operation, { header, operations }: Stated): DescriptionJudgement {
  const message = `${key} declares ${header}, which the source declares on two other operations`;
  const [code, cause] = ['spec-07.declared-elsewhere', `${header} is declared elsewhere`];
  const expected = `declared on ${operations.join(' and ')}`;
  const actual = `declared on ${key}`;
  const row = {
    subject: `${header} beyond the two operations that the source shows`,
    value: 'declared',
    confidence: 'sure',
    calls: 0,
    basis: 'the description',
  } as const;
  const judgement = breached([{ weight: 'observation', code, cause, message, expected, actual, pointer }], 0);
  return { operation: key, judgement: noting(judgement, [row]) };
}

function lacks(key: string): DescriptionJudgement {
  return { operation: null, judgement: cannotTell('precondition', `the description has no ${key}`) };
}
