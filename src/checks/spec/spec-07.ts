// SPEC-07 (must): `Idempotency-Key` is declared on `POST /api/v1/stores` and `POST /api/v1/stores/process-payment`.
//   Tolerance: Declared elsewhere: observation.
import { breached, cannotTell, noting } from '../../contract/judgement.ts';
import { IDEMPOTENCY_HEADER, IDEMPOTENT_OPERATIONS, isIdempotent } from '../../contract/platform.ts';
import { appended } from '../../openapi/json.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import type { DescriptionCheck, DescriptionJudgement } from '../check.ts';

const OWNER = 'admin';

export const spec07: DescriptionCheck = {
  clause: 'SPEC-07',
  title: 'Idempotency-Key is declared on the two idempotent operations',
  judge({ service, operations }) {
    const judged = operations.flatMap((operation) => {
      if (isIdempotent(operation.key)) return [judgeDemanded(operation)];
      return declaresKey(operation) ? [observe(operation)] : [];
    });
    const keys = new Set(operations.map(({ key }) => key));
    const lacking = IDEMPOTENT_OPERATIONS.filter((key) => service === OWNER && !keys.has(key));
    return [...judged, ...lacking.map(lacks)];
  },
};

function declaresKey({ parameters }: Operation): boolean {
  const wanted = IDEMPOTENCY_HEADER.toLowerCase();
  return parameters.some(({ name, in: place }) => place === 'header' && name.toLowerCase() === wanted);
}

function judgeDemanded(operation: Operation): DescriptionJudgement {
  const { key, pointer } = operation;
  if (declaresKey(operation)) return { operation: key, judgement: breached([]) };
  const expected = `the header parameter ${IDEMPOTENCY_HEADER}`;
  const message = `${key} does not declare ${IDEMPOTENCY_HEADER}, expected ${expected}`;
  const [code, cause] = ['spec-07.not-declared', `${IDEMPOTENCY_HEADER} is not declared`];
  const place = appended(pointer, 'parameters');
  return {
    operation: key,
    judgement: breached([{ weight: 'breach', code, cause, message, expected, actual: 'not declared', pointer: place }]),
  };
}

function observe({ key, pointer }: Operation): DescriptionJudgement {
  const message = `${key} declares ${IDEMPOTENCY_HEADER}, which the source declares on two other operations`;
  const [code, cause] = ['spec-07.declared-elsewhere', `${IDEMPOTENCY_HEADER} is declared elsewhere`];
  const expected = `declared on ${IDEMPOTENT_OPERATIONS.join(' and ')}`;
  const actual = `declared on ${key}`;
  const row = {
    subject: `${IDEMPOTENCY_HEADER} beyond the two operations that the source shows`,
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
