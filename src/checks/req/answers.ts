// REQ-01 to REQ-06, REQ-08 and the probe's half of ERR-10: what bad requests get.
import { type Breach, breached, cannotTell, holds, type Judgement, type Weight } from '../../contract/judgement.ts';
import { topField } from '../../exchange/envelope.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { type Answer, answerOf, spoken } from '../answer.ts';

const NOT_FOUND = 'resource_not_found';
const INVALID = 'validation_failed';

/** REQ-01: an unknown path → 404 resource_not_found. */
export function judgeUnknownPath(exchange: Exchange): Judgement {
  const seen = answerOf(exchange);
  return seen.ok ? judgeNotFound(seen.answer, 'an unknown path') : seen.judgement;
}

export interface UnknownIdCase {
  /** Whether the id cannot be called malformed. */
  readonly wellFormed: boolean;
  /** Whether the operation declares that a PUT creates (201). */
  readonly mayCreate: boolean;
  /** Whether the same request with a known id succeeded in this run. */
  readonly control: boolean;
  /** Whether the operation declares a 404. */
  readonly declares404: boolean;
  readonly where: string;
}

/** REQ-02: an unknown resource id → 404 resource_not_found. */
export function judgeUnknownId(exchange: Exchange, about: UnknownIdCase): Judgement {
  const seen = answerOf(exchange);
  if (!seen.ok) return seen.judgement;
  const { answer } = seen;
  if (about.mayCreate && answer.status < 300) return holds();
  const rejectsInput = answer.status === 400 || answer.status === 422;
  if (rejectsInput && !about.wellFormed) return cannotTell('precondition', 'the id may be malformed to this platform');
  if (!about.control && answer.status >= 400 && answer.status !== 404) {
    return cannotTell('precondition', `answered ${spoken(answer)}, and no request of this operation succeeded`);
  }
  return judgeNotFound(answer, `an unknown id in ${about.where}`);
}

function judgeNotFound(answer: Answer, what: string): Judgement {
  const expected = `404 with error.code ${NOT_FOUND}`;
  if (answer.status !== 404) {
    const cause = `${what} is not answered 404`;
    return breached([
      { weight: 'breach', cause, message: `${cause}: answered ${spoken(answer)}`, expected, actual: spoken(answer) },
    ]);
  }
  if (answer.code === null || answer.code === '' || answer.code === NOT_FOUND) return holds();
  const cause = `${what} is answered 404 with another code`;
  return breached([
    {
      weight: 'breach',
      cause,
      message: `error.code is ${answer.code}, expected ${NOT_FOUND}`,
      expected,
      actual: spoken(answer),
      pointer: '/error/code',
    },
  ]);
}

export interface SpoiledCase {
  /** In words, constant per kind: "a missing required field". */
  readonly kind: string;
  /** What was spoiled, with names: "email left out". */
  readonly what: string;
  /** Top-level field that the answer must name; empty where the body has no fields. */
  readonly field: string;
  /** How much it weighs that the target accepts the spoiled body. */
  readonly accepted: Weight;
  /** Whether the same request unspoiled succeeded in this run. */
  readonly control: boolean;
}

/** REQ-03, -04, -08: a spoiled body → 400 validation_failed, the field named in errors[]. */
export function judgeSpoiled(exchange: Exchange, spoiled: SpoiledCase): Judgement {
  const seen = answerOf(exchange);
  if (!seen.ok) return seen.judgement;
  const { answer } = seen;
  const naming = spoiled.field === '' ? '' : `, naming ${spoiled.field}`;
  const expected = `400 with error.code ${INVALID}${naming}`;
  const actual = spoken(answer);
  const breach = (weight: Weight, cause: string, pointer?: string): Judgement =>
    breached([
      {
        weight,
        cause,
        message: `${spoiled.what}: ${cause}, answered ${actual}`,
        expected,
        actual,
        ...(pointer === undefined ? {} : { pointer }),
      },
    ]);
  if (answer.status < 400) {
    if (!spoiled.control && spoiled.accepted !== 'breach')
      return cannotTell('precondition', 'no valid request of this operation succeeded');
    return breach(spoiled.accepted, `${spoiled.kind} is accepted`);
  }
  if (answer.status === 400 || answer.status === 422) return judgeRejection(answer, spoiled, breach);
  if (!spoiled.control || spoiled.accepted !== 'breach')
    return cannotTell('precondition', `answered ${actual}, which need not be the spoiled field's doing`);
  return breach('breach', `${spoiled.kind} is not answered 400`);
}

type Breaching = (weight: Weight, cause: string, pointer?: string) => Judgement;

function judgeRejection(answer: Answer, spoiled: SpoiledCase, breach: Breaching): Judgement {
  const named = answer.envelope?.fields.flatMap((field) => [topField(field), field]) ?? [];
  if (!spoiled.control && !named.includes(spoiled.field)) {
    return cannotTell('precondition', 'rejected, but so may be every request of this operation: none succeeded');
  }
  if (answer.code !== null && answer.code !== '' && answer.code !== INVALID) {
    return breach('breach', `${spoiled.kind} is rejected with another code`, '/error/code');
  }
  if (answer.status === 422) return breach('advisory', `${spoiled.kind} is answered 422 in place of 400`);
  if (spoiled.field !== '' && named.length > 0 && !named.includes(spoiled.field)) {
    return breach('breach', `${spoiled.kind} is rejected, but errors[] does not name it`, '/error/errors');
  }
  return holds();
}

/** ERR-10, the probe's half: param is the one field that was spoiled. */
export function judgeParamNamed(exchange: Exchange, field: string, control: boolean): Judgement {
  const seen = answerOf(exchange);
  if (!seen.ok) return seen.judgement;
  const { status, envelope } = seen.answer;
  const param = envelope?.param ?? null;
  const rejected =
    (status === 400 || status === 422) && (envelope?.code === INVALID || envelope?.type === 'validation_error');
  if (!rejected || param === null || param === '') return cannotTell('precondition', 'no error.param to judge');
  if (param.replace(/^\//, '') === field) return holds();
  if (!control)
    return cannotTell(
      'precondition',
      'no valid request of this operation succeeded, so more than one field may offend',
    );
  const breach: Breach = {
    weight: 'breach',
    cause: 'error.param is not the field that was spoiled',
    message: `error.param is ${JSON.stringify(param)}, expected ${JSON.stringify(field)}, the one field that was spoiled`,
    expected: field,
    actual: param,
    pointer: '/error/param',
  };
  return breached([breach]);
}

/** REQ-05, REQ-06: any 4xx. The envelope is judged by ERR-01. */
export function judgeRefused(exchange: Exchange, what: string): Judgement {
  const seen = answerOf(exchange);
  if (!seen.ok) return seen.judgement;
  if (seen.answer.status >= 400) return holds();
  const cause = `${what} is accepted`;
  const actual = spoken(seen.answer);
  return breached([
    {
      weight: 'breach',
      cause,
      message: `${cause}: answered ${actual}, expected a 4xx`,
      expected: '4xx with the envelope',
      actual,
    },
  ]);
}
