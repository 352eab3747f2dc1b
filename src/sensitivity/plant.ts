// A plant is a defect that answers are given on their way from the target to the judges, as if the target had it.
// Plants are pure and know no platform: they change recorded answers, and never requests.
import type { Subject } from '../checks/check.ts';
import { jsonBody } from '../exchange/body.ts';
import type { EchoedSecret, Exchange, Failure, RecordedResponse, RequestPlan } from '../exchange/exchange.ts';
import { isObject } from '../openapi/json.ts';
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
  /** Tells whether the operation can have the defect, by its description. */
  concerns(operation: Operation, description: Description, contract: Subject['contract']): boolean;
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
  const others = response.headers.filter(([known]) => known.toLowerCase() !== name);
  return { ...response, headers: value === null ? others : [...others, [name, value]] };
}

/** A request, as a defect that answers it knows it. */
export interface Occasion {
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
  /** Tells whether the operation can have the defect, by its description. */
  concerns(operation: Operation, description: Description, contract: Subject['contract']): boolean;
  /** Clauses that may be reported in place of its own: those that describe the same breach. */
  readonly also?: readonly string[];
  /** Set: every answer tells of the calls before it, so none is given twice. */
  readonly countsCalls?: true;
  /** The request as the target takes it; absent: as it is sent. */
  takes?(plan: RequestPlan): RequestPlan;
  /** The answer to a request that the run did not send, made of those that it sent; null where it cannot be told. */
  answer?(plan: RequestPlan, known: readonly Exchange[]): Exchange | null;
  /** The answer with the defect; null where this one does not show it. */
  change(occasion: Occasion): Changed | null;
}

/** The answer of a target that serves what it should refuse. */
export function served(response: RecordedResponse, proof: Exchange | null): RecordedResponse {
  const like = proof?.response ?? null;
  const sound = like !== null && !like.truncated ? like : withBody({ ...response, status: 200 }, {});
  return { ...sound, headers: withHeader(sound, 'content-type', 'application/json').headers };
}

/** The error with another status and other members; the answer with that status where it has no envelope. */
export function otherError(
  exchange: Exchange,
  status: number,
  members: Record<string, unknown>,
): RecordedResponse | null {
  const { response } = exchange;
  const body = jsonBody(exchange);
  if (response === null) return null;
  if (!body.ok || !isObject(body.value) || !isObject(body.value.error)) return { ...response, status };
  return withBody({ ...response, status }, { error: { ...body.value.error, status, ...members } });
}
