// REQ-02 to REQ-06 and REQ-08 by a description alone: bad input gets a 4xx. Which one, and what its body says, is the
// service's own affair; a redirect tells nothing, and a 5xx is SCH-06's.
//
// REQ-02 (must): An unknown resource id, in the path or in a body that names things by the contract, is refused as an
//   unknown path is. Tolerance: Only for ids that are well formed by the schema; a malformed id may be 400. A PUT
//   that declares 201 may create.
// REQ-03 (must): A missing required body field is refused, that field named. Tolerance: 422 in place of 400, whatever
//   its code: advisory.
// REQ-04 (must): A field of the wrong JSON type is refused, that field named. Tolerance: Servers may coerce scalars
//   between string, number and boolean (accepting is an advisory); an object or array in place of a scalar must be
//   rejected. `null` for an optional field accepted: advisory.
// REQ-05 (must): Malformed JSON → 4xx with the envelope. Tolerance: Code not judged.
// REQ-06 (must): A method not described on a known path, and an unsupported media type → 4xx (404, 405, 415 or 400)
//   with the envelope. Tolerance: Probed only with what does no harm should it exist (GET, HEAD, an unregistered
//   method): never an undeclared POST, PUT, PATCH or DELETE. OPTIONS, and HEAD where GET is described, may succeed. The
//   media-type probe sends a body that is not valid JSON; valid JSON accepted under another type is an observation.
// REQ-08 (should): A value outside declared constraints (enum, format, min/max, pattern) is refused. Tolerance:
//   Accepting it is an advisory.
import { codeOf } from '../../contract/code.ts';
import { breached, cannotTell, holds, type Judgement, type Weight } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { answerOf } from '../answer.ts';
import {
  type NotUnderstood,
  type SpoiledCase,
  type UnknownIdCase,
  undescribedMethod,
  unknownIdPlace,
} from './req-01-to-08-answers.ts';

/** REQ-03, -04, -08: spoiled input is refused. */
export function judgeSpoiledRefused(exchange: Exchange, spoiled: SpoiledCase): Judgement {
  const { code, kind, what, accepted, control } = spoiled;
  return judgeClass(exchange, { code: codeOf(code.clause, 'accepted', code.name), kind, what, accepted, control });
}

/** REQ-05, REQ-06: what cannot be understood is refused. */
export function judgeNotUnderstood(
  exchange: Exchange,
  what: NotUnderstood,
  { control }: { readonly control: boolean },
): Judgement {
  return judgeClass(exchange, caseOf(what, 'breach', control));
}

/** REQ-06: a description need not list all methods, so one that is served beside them is an advisory. */
export function judgeMethodUnknown(
  exchange: Exchange,
  method: string,
  { control }: { readonly control: boolean },
): Judgement {
  return judgeClass(exchange, caseOf(undescribedMethod(method), 'advisory', control));
}

function caseOf({ clause, values, inWords }: NotUnderstood, accepted: Weight, control: boolean): ClassCase {
  return { code: codeOf(clause, 'accepted', ...values), kind: inWords, what: inWords, accepted, control };
}

interface ClassCase {
  /** The code of the breach that it is accepted. */
  readonly code: string;
  readonly kind: string;
  readonly what: string;
  readonly accepted: Weight;
  readonly control: boolean;
}

function judgeClass(exchange: Exchange, { code, kind, what, accepted, control }: ClassCase): Judgement {
  const seen = answerOf(exchange);
  if (!seen.ok) return seen.judgement;
  const { status } = seen.answer;
  if (status >= 300 && status < 400) return cannotTell('precondition', `answered with the redirect ${status}`);
  if (status >= 400) {
    return control
      ? holds()
      : cannotTell('precondition', 'refused, but so may be every request of this operation: none succeeded');
  }
  const cause = `${kind} is accepted`;
  const message = `${what === kind ? '' : `${what}: `}${cause}, answered ${status}, expected a 4xx`;
  return breached([{ weight: accepted, code, cause, message, expected: 'a 4xx', actual: String(status) }]);
}

/** REQ-02: an unknown id is no ground for a 5xx; that it is served, though 404 is declared, is observed. */
export function judgeUnknownIdClass(exchange: Exchange, about: UnknownIdCase): Judgement {
  const seen = answerOf(exchange);
  if (!seen.ok) return seen.judgement;
  const { status } = seen.answer;
  if (status >= 400) {
    return about.control
      ? holds()
      : cannotTell('precondition', `answered ${status}, and no request of this operation succeeded`);
  }
  const deletes = exchange.plan.method === 'DELETE';
  if (about.mayCreate || deletes || !about.declares404) return holds();
  const cause = `an unknown id in ${unknownIdPlace(about)} is served, though 404 is declared`;
  const message = `${cause}: answered ${status}`;
  const code = codeOf('REQ-02', 'served', about.place, about.name);
  return breached([{ weight: 'observation', code, cause, message, expected: '404', actual: String(status) }]);
}

/** How a thing was asked for below a parent that is not there. */
export interface BelowUnknownCase {
  /** Name of the parameter that names the parent. */
  readonly name: string;
  /** True where others live by the parent: a tenant, an account. */
  readonly isBoundary: boolean;
}

/**
 * REQ-02 on an object that is served below a parent of which the target says itself, when it is read, that it is not there. A breach where
 * the parent keeps the data of one apart from the data of another; elsewhere what stands in the path may mean nothing.
 */
export function judgeBelowUnknown(served: Exchange, { name, isBoundary }: BelowUnknownCase): Judgement {
  const cause = 'what is there is served below a parent that is not there';
  const actual = String(served.response?.status ?? 0);
  const message = `${cause}: ${name} names nothing, and reading that is answered 404; answered ${actual}, expected 404`;
  const weight = isBoundary ? 'breach' : 'advisory';
  return breached([{ weight, code: 'req-02.below-unknown', cause, message, expected: '404', actual }]);
}

/** The three answers about one object: read, deleted, read again. */
export interface Deletion {
  readonly before: Exchange;
  readonly deletion: Exchange;
  readonly after: Exchange;
}

/**
 * REQ-02: what was deleted is an unknown id. Only the very same answer counts against it: an object that is shown as
 * deleted or archived is a service's own affair. A breach where the description declares 404 or 410 for reading.
 */
export function judgeDeleted(
  { before, deletion, after }: Deletion,
  { declares404 }: { readonly declares404: boolean },
): Judgement {
  const deleted = deletion.response?.status === 200 || deletion.response?.status === 204;
  if (before.response?.status !== 200 || !deleted) return cannotTell('precondition', 'nothing was read and deleted');
  const seen = answerOf(after);
  if (!seen.ok) return seen.judgement;
  if (after.response?.status !== 200 || after.response.body !== before.response.body) return holds();
  const [code, cause] = ['req-02.deleted-served', 'a deleted object is still served'];
  const message = `${cause}: answered ${deletion.response?.status} to its deletion, then 200 and the same body as before`;
  const weight = declares404 ? 'breach' : 'advisory';
  return breached([{ weight, code, cause, message, expected: '404 or 410', actual: '200' }]);
}
