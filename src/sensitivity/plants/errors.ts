// Plants of ERR: the catalogue's defects of errors, and successes that are shaped like one.
import type { Under } from '../../checks/check.ts';
import { textIn, toldError } from '../../checks/err/error-object.ts';
import { ERROR_DEFECTS, type ErrorDefect, type Told } from '../../defects/errors.ts';
import { jsonBody } from '../../exchange/body.ts';
import { isSuccess, wholeResponse } from '../../facts/answered.ts';
import type { Description, Operation } from '../../openapi/model/operation.ts';
import { type AnswerPlant, differing, errorBody, isRefusable, withBody } from '../plant.ts';
import { declaresJsonSuccess } from './schemas.ts';

/** Tells whether something of a request can offend so that its error has the defect. */
function mayShow({ on }: ErrorDefect, operation: Operation): boolean {
  const { parameters, requestBody, path } = operation;
  if (on === 'input') return requestBody !== null || parameters.some((one) => one.in === 'query');
  return on === 'items' ? path.includes('{') : isRefusable(operation);
}

function planted(defect: ErrorDefect): AnswerPlant {
  const { id, clause, says } = defect;
  return {
    ...{ id, clause, text: says, at: 'operation' },
    lacks:
      defect.on === 'input' ? 'no input was refused with a list of errors' : 'no error of the operation can show it',
    concerns: (operation: Operation, _description: Description, { terms: { errors } }: Under) =>
      errors !== null && defect.has(errors) && mayShow(defect, operation),
    change({ exchange, terms, operation }, _pick, earlier) {
      const { response, plan } = exchange;
      const told = toldError({ exchange, terms });
      if (told === null || response === null) return null;
      const known = earlier === null ? null : toldError({ exchange: earlier, terms });
      const difference = defect.change({
        ...{ status: response.status, headers: told.headers, body: told.body, errors: told.terms },
        ...{ requests: terms.requests, path: plan.path, template: operation?.path ?? null },
        sent: plan.body.kind === 'json' ? plan.body.value : undefined,
        authorization: '',
        earlierId: known === null ? null : textIn(known, 'requestId'),
      });
      if (difference === null) return null;
      const echoed = difference.echoesToken === true ? { echoed: [{ secret: 'sent token', where: 'body' }] } : {};
      return { response: differing(response, difference), ...echoed };
    },
  };
}

/** An error of which no member is empty. */
const FAILED: Told = {
  ...{ type: 'api_error', code: 'failed', title: 'Failed', message: 'It failed.', status: 500, docUrl: '' },
  requestId: 'req_1',
};

export const errorPlants: readonly AnswerPlant[] = [
  ...ERROR_DEFECTS.map(planted),
  {
    ...{ id: 'err-13-envelope', clause: 'ERR-13', text: 'A success is shaped like an error.', at: 'operation' },
    lacks: 'the operation never succeeded with a body',
    concerns: (operation, _description, { terms: { errors } }) =>
      errors?.isNeverOnSuccess === true && declaresJsonSuccess(operation),
    change({ exchange, terms: { errors } }) {
      const response = wholeResponse(exchange);
      if (response === null || !isSuccess(response.status) || !jsonBody(exchange).ok) return null;
      return { response: withBody(response, errorBody(FAILED, errors)) };
    },
  },
];
