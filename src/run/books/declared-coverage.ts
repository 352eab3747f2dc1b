// How much of what a description declares for an operation was used: parameters that were sent, statuses that came.
import type { DeclaredUse } from '../../contract/report.ts';
import type { Operation, Parameter } from '../../openapi/model/operation.ts';
import { declaredResponse } from '../../openapi/model/responses.ts';
import type { OperationTraffic } from './traffic.ts';

/** Every declared parameter, the body among them, and every declared status, with how often it was seen. Pure. */
export function declaredUse(operation: Operation, traffic: OperationTraffic | undefined): DeclaredUse {
  const parameters = operation.parameters.map((one) => [`${one.in} ${one.name}`, timesSent(one, traffic)] as const);
  const body = operation.requestBody === null ? [] : [['body', traffic?.sent.get('body') ?? 0] as const];
  const statuses = new Map(operation.responses.map(({ status }) => [status, 0]));
  for (const [status, count] of traffic?.statuses ?? []) {
    const declared = status === 'failed' ? null : declaredResponse(operation, Number(status));
    if (declared !== null) statuses.set(declared.status, (statuses.get(declared.status) ?? 0) + count);
  }
  return { parameters: Object.fromEntries([...parameters, ...body]), statuses: Object.fromEntries(statuses) };
}

/** A path parameter is in every request. */
function timesSent({ in: place, name }: Parameter, traffic: OperationTraffic | undefined): number {
  if (place === 'path') return traffic?.requests ?? 0;
  return traffic?.sent.get(`${place} ${place === 'header' ? name.toLowerCase() : name}`) ?? 0;
}
