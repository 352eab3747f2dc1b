// A plant is a defect that answers are given on their way from the target to the judges, as if the target had it.
// Plants are pure and know no platform: they change recorded answers, and never requests.
import type { Subject, Under } from '../checks/check.ts';
import type { ErrorTerms, Terms } from '../contract/terms.ts';
import { type Difference, withAt } from '../defects/defect.ts';
import { retold, type Told, telling } from '../defects/errors.ts';
import { jsonBody } from '../exchange/body.ts';
import { isEnveloped } from '../exchange/envelope.ts';
import type { EchoedSecret, Exchange, Failure, RecordedResponse, RequestPlan } from '../exchange/exchange.ts';
import type { Description, Operation } from '../openapi/model/operation.ts';

/** Result of the defect for an answer: another one, or none at all. */
export type Changed =
  | { readonly response: RecordedResponse; readonly echoed?: readonly EchoedSecret[] }
  | { readonly failure: Failure };

/** Answers a whole number below `count`; the same seed, plant and operation give the same one. */
export type Pick = (count: number) => number;

interface Named {
  /** "sch-01-null": the clause in lower case and the kind of defect. */
  readonly id: string;
  /** The clause that the defect breaks. */
  readonly clause: string;
  /** One sentence: how the target behaves. */
  readonly text: string;
  /** Why no answer could show the defect, where none could: "no answer held two items". */
  readonly lacks: string;
}

/** A defect that one answer shows. */
export interface AnswerPlant extends Named {
  /** operation: planted at single operations. run: planted once, wherever an answer can show it. */
  readonly at: 'operation' | 'run';
  /** Tells whether the operation can have the defect, by its description and the contract. */
  concerns(operation: Operation, description: Description, under: Under): boolean;
  /** The answer with the defect; null where this answer cannot show it. `earlier`: an error that was answered before, or null. */
  change(subject: Subject, pick: Pick, earlier: Exchange | null): Changed | null;
}

/** The exchange as it is recorded where the target has the defect. */
export function changedExchange(exchange: Exchange, changed: Changed): Exchange {
  if ('failure' in changed) return { ...exchange, response: null, failure: changed.failure };
  const { response, echoed = exchange.echoed } = changed;
  return { ...exchange, response, failure: null, echoed };
}

/** The answer with another body: a text as it stands, any other value as JSON. */
export function withBody(response: RecordedResponse, body: unknown): RecordedResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { ...response, body: text, bytes: Buffer.byteLength(text) };
}

/** The answer with one value of the header; null: without the header. */
export function withHeader(response: RecordedResponse, name: string, value: string | null): RecordedResponse {
  const field = name.toLowerCase();
  const others = response.headers.filter(([known]) => known.toLowerCase() !== field);
  return { ...response, headers: value === null ? others : [...others, [field, value]] };
}

/** The answer with the difference that a defect makes. */
export function differing(response: RecordedResponse, { status, headers, json, text }: Difference): RecordedResponse {
  const told = { ...response, status: status ?? response.status };
  const body = text ?? json;
  return Object.entries(headers ?? {}).reduce(
    (changed, [name, value]) => withHeader(changed, name, value),
    body === undefined ? told : withBody(told, body),
  );
}

/** Where a defect is planted: at an operation (null: at the target as a whole) that is judged by these terms. */
export interface At {
  readonly operation: Operation | null;
  readonly terms: Terms;
}

/** A request, as a defect that answers it knows it. */
export interface Occasion {
  readonly at: At;
  readonly plan: RequestPlan;
  /** As the target without the defect answers. */
  readonly exchange: Exchange;
  /** Earlier answers to the experiment, without the defect. */
  readonly earlier: readonly Exchange[];
  /** Answers to other experiments on the operation, without the defect. */
  readonly beside: readonly Exchange[];
  /** A success of the operation; null where there was none. */
  readonly proof: Exchange | null;
}

/** A defect that an experiment shows: what it sends is answered as the target would that has it. */
export interface ExperimentPlant extends Named {
  readonly at: 'operation' | 'run';
  /** Tells whether the operation can have the defect, by its description and the contract. */
  concerns(operation: Operation, description: Description, under: Under): boolean;
  /** Clauses that may be reported in place of its own: those that describe the same breach. */
  readonly also?: readonly string[];
  /** Set: every answer tells of the calls before it, so none is given twice. */
  readonly countsCalls?: true;
  /** The request as the target takes it; absent: as it is sent. */
  takes?(plan: RequestPlan, at: At): RequestPlan;
  /** The answer to a request that the run did not send, made of those that it sent; null where it cannot be told. */
  answer?(plan: RequestPlan, known: readonly Exchange[], at: At): Exchange | null;
  /** The answer with the defect; null where this one does not show it. */
  change(occasion: Occasion): Changed | null;
}

/** The parts of a plant whose defect shows in an answer that came; absent: any operation has it, and it is planted at each. */
export type Sown = Omit<Partial<ExperimentPlant>, 'id' | 'clause' | 'text' | 'lacks' | 'change'> & {
  readonly lacks: string;
  /** The answer with the defect; null where this one does not show it. */
  change(occasion: Occasion, response: RecordedResponse): RecordedResponse | null;
};

/** The plant of a clause, its id made of that and the name. `text`: how the target behaves. */
export function sown(clause: string, name: string, text: string, { change, ...entry }: Sown): ExperimentPlant {
  return {
    ...{ at: 'operation', concerns: () => true, ...entry },
    ...{ id: `${clause.toLowerCase()}-${name}`, clause, text },
    change(occasion) {
      const { response } = occasion.exchange;
      const changed = response === null ? null : change(occasion, response);
      return changed === null ? null : { response: changed };
    },
  };
}

/** Tells whether the status is a refusal of the request, and no limiter's. */
export function isRefusal(status: number): boolean {
  return status >= 400 && status < 429;
}

/** Tells whether something of a request can be refused. */
export function isRefusable({ security, parameters, requestBody }: Operation): boolean {
  return security.length > 0 || parameters.length > 0 || requestBody !== null;
}

/** The answer of a target that serves what it should refuse. */
export function served(response: RecordedResponse, proof: Exchange | null): RecordedResponse {
  const like = proof?.response ?? null;
  const sound = like !== null && !like.truncated ? like : withBody({ ...response, status: 200 }, {});
  return { ...sound, headers: withHeader(sound, 'content-type', 'application/json').headers };
}

/** The error under another status, or with another code; the answer with that status where the contract has no errors of this shape. */
export function otherError(
  exchange: Exchange,
  { status, code }: { readonly status?: number; readonly code?: string },
  errors: ErrorTerms | null,
): RecordedResponse | null {
  const { response } = exchange;
  const body = jsonBody(exchange);
  if (response === null) return null;
  if (errors === null || !body.ok || !isEnveloped(body.value, errors))
    return { ...response, status: status ?? response.status };
  const told = { body: body.value, headers: response.headers, errors };
  return differing(response, retold(told, status ?? null, code ?? null));
}

/** An error of the shape that the contract states, which tells this. */
export function errorBody(told: Told, errors: ErrorTerms | null): unknown {
  const { envelope = null } = errors ?? {};
  return errors === null ? {} : telling(envelope === null ? {} : withAt({}, envelope, {}), told, errors).json;
}
