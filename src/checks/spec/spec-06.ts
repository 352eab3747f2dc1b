// SPEC-06 (must): No operation declares a cursor parameter or a version request header; no list operation a sort or
//   order parameter.
import { type Breach, breached } from '../../contract/judgement.ts';
import { appended } from '../../openapi/json.ts';
import type { Operation, Parameter } from '../../openapi/model/operation.ts';
import { operationCheck } from './operation-check.ts';
import { isCursor, isPaging, isSort, isVersionHeader } from './parameter-names.ts';

export const spec06 = operationCheck({
  clause: 'SPEC-06',
  title: 'No cursor parameter, no version header, no sort or order on a list',
  judge(operation) {
    const { parameters } = operation;
    const breaches = [
      ...parameters
        .filter(isCursor)
        .map((parameter) => breachOf('spec-06.cursor-parameter', 'a cursor parameter', parameter, operation)),
      ...parameters
        .filter(isVersionHeader)
        .map((parameter) => breachOf('spec-06.version-header', 'a version request header', parameter, operation)),
      ...(isList(operation) ? parameters.filter(isSort) : []).map((parameter) =>
        breachOf('spec-06.sort-parameter', 'a sort or order parameter', parameter, operation),
      ),
    ];
    return breached(breaches, isList(operation) ? 3 : 2);
  },
});

/** A GET that pages, or whose path does not end in a parameter. */
function isList({ method, path, parameters }: Operation): boolean {
  return method === 'GET' && (parameters.some(isPaging) || !path.endsWith('}'));
}

function breachOf(code: string, kind: string, { name }: Parameter, { key, pointer }: Operation): Breach {
  const message = `${key} declares ${kind}, ${name}; expected none`;
  const cause = `${kind} is declared`;
  const place = appended(pointer, 'parameters');
  return { weight: 'breach', code, cause, message, expected: 'none', actual: name, pointer: place };
}
