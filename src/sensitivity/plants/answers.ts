// The catalogue's defects of statuses, headers, pages and limits as plants: which operations and which answers can have them.

import type { Subject, Under } from '../../checks/check.ts';
import { toldError } from '../../checks/err/error-object.ts';
import { listRead, readsCountedList, readsPagedList } from '../../checks/pag/paged-envelope.ts';
import { rate01 } from '../../checks/rate/rate-01.ts';
import { rate12 } from '../../checks/rate/rate-12-ietf-fields.ts';
import { declaredAnswer } from '../../checks/sch/declared.ts';
import { ANSWER_DEFECTS, type Having, type Stated } from '../../defects/answers.ts';
import { LIMIT_DEFECTS, type LimitDefect } from '../../defects/limits.ts';
import { PAGE_DEFECTS, type PageDefect } from '../../defects/pages.ts';
import { jsonBody } from '../../exchange/body.ts';
import type { RecordedResponse } from '../../exchange/exchange.ts';
import { isHead } from '../../facts/answered.ts';
import {
  isExempt,
  isRefusal as isRefusalOfLimiter,
  limitedBy,
  type RateReading,
  readingOf,
} from '../../limiters/reading.ts';
import { asObject } from '../../openapi/json.ts';
import type { DeclaredResponse, Description, Operation } from '../../openapi/model/operation.ts';
import { statedPaging } from '../../openapi/model/stated-paging.ts';
import { type AnswerPlant, differing, isRefusable, isRefusal } from '../plant.ts';
import { declaresJsonSuccess, isJsonSuccess, isWholeSuccess } from './schemas.ts';

type Entry = Omit<AnswerPlant, 'change' | 'concerns' | 'at'> &
  Partial<Pick<AnswerPlant, 'concerns' | 'at'>> & {
    /** The changed answer; null where this one cannot show the defect. */
    change(subject: Subject, response: RecordedResponse): RecordedResponse | null;
  };

function plant({ change, ...entry }: Entry): AnswerPlant {
  return {
    at: 'operation',
    concerns: () => true,
    ...entry,
    change(subject) {
      const { response } = subject.exchange;
      const changed = response === null ? null : change(subject, response);
      return changed === null ? null : { response: changed };
    },
  };
}

const NO_SUCCESS = 'the operation never succeeded';

/** Which operations and answers can have a defect, and why none had. */
interface Bearers {
  readonly lacks: string;
  concerns?(operation: Operation, description: Description, under: Under): boolean;
  /** Tells whether the answer can show it. */
  shows?(subject: Subject, response: RecordedResponse): boolean;
}

const declares = (status: string) => (operation: Operation) => operation.responses.some((one) => one.status === status);
const wasRefused = (_subject: Subject, { status }: RecordedResponse): boolean => isRefusal(status);

const BEARERS: Readonly<Record<Having, Bearers>> = {
  any: { lacks: 'no answer of the operation can show it' },
  json: { lacks: NO_SUCCESS, concerns: declaresJsonSuccess, shows: isJsonSuccess },
  success: { lacks: NO_SUCCESS, shows: isWholeSuccess },
  error: {
    lacks: 'the operation answered no error',
    concerns: (operation, _description, { contract }) => contract === 'commerce' && isRefusable(operation),
    shows: (subject) => toldError(subject) !== null,
  },
  refused: { lacks: 'no request was refused', concerns: isRefusable, shows: wasRefused },
  spoiled: {
    lacks: 'no request was refused',
    concerns: isRefusable,
    shows: ({ exchange }, { status }) => isRefusal(status) && (exchange.plan.intent ?? 'sound') !== 'sound',
  },
  empty: {
    lacks: 'no answer was a 204',
    concerns: declares('204'),
    shows: ({ exchange }, { status }) => status === 204 && !isHead(exchange),
  },
  redirect: {
    lacks: 'no answer was a 302',
    concerns: declares('302'),
    shows: (_subject, { status }) => status === 302,
  },
};

/** The statements about answers of the operation, for which these are declared; none where no description has it. */
function statedOf(operation: Operation | null, declared: readonly DeclaredResponse[], { terms }: Under): Stated {
  const required = declared.flatMap(({ headers }) => headers).find((one) => one.required);
  const statuses = operation?.responses.map(({ status }) => status) ?? ['default'];
  return { statuses, requiredHeader: required?.name.toLowerCase() ?? null, terms };
}

const statusPlants: readonly AnswerPlant[] = ANSWER_DEFECTS.map(({ id, clause, says, having, change }) => {
  const { lacks, concerns = () => true, shows = () => true } = BEARERS[having];
  return plant({
    ...{ id, clause, text: says, lacks },
    concerns: (operation, description, under) =>
      concerns(operation, description, under) && change(statedOf(operation, operation.responses, under)) !== null,
    change(subject, response) {
      const { operation } = subject;
      const declared = isHead(subject.exchange) ? null : (declaredAnswer(subject)?.declared ?? null);
      const stated = statedOf(operation, declared === null ? [] : [declared], subject);
      const difference = shows(subject, response) ? change(stated) : null;
      return difference === null ? null : differing(response, difference);
    },
  });
});

const READS: Readonly<Record<PageDefect['having'], (subject: Subject) => boolean>> = {
  ...{ counted: readsCountedList, paged: readsPagedList, any: isWholeSuccess },
};

const pagePlants: readonly AnswerPlant[] = PAGE_DEFECTS.map(({ id, clause, says, having, lacks, has, change }) =>
  plant({
    ...{ id, clause, text: says, lacks: lacks ?? 'no page of the list was read' },
    concerns(operation, _description, { terms }) {
      const stated = statedPaging(operation, terms);
      return stated !== null && has(stated);
    },
    change(subject, response) {
      const [body, stated] = [jsonBody(subject.exchange), listRead(subject)];
      if (!READS[having](subject) || stated === null) return null;
      const query = new URLSearchParams(subject.exchange.plan.query);
      const difference = change({ body: body.ok ? asObject(body.value) : {}, stated, query });
      return difference === null ? null : differing(response, difference);
    },
  }),
);

/** Tells whether the calls of the operation count against a limit. */
function isCounted({ method, path, key, security }: Operation, { operations }: Description, { terms }: Under): boolean {
  if (isExempt({ method, path, operation: key }, terms.rateLimits)) return false;
  return security.length > 0 || limitedBy(terms, operations).isAnonymous;
}

const isOfIetf: AnswerPlant['concerns'] = (operation, description, under) =>
  under.terms.rateLimits?.isIetf === true && isCounted(operation, description, under);

const NO_READING = 'no answer told what is left of the limit';

const LIMITED: Readonly<Record<LimitDefect['having'], Bearers & Pick<Entry, 'at'>>> = {
  counted: { lacks: NO_SUCCESS, concerns: isCounted, shows: rate01.applies },
  read: { lacks: NO_READING, concerns: isCounted, shows: isRead },
  ietf: { lacks: NO_READING, concerns: isOfIetf, shows: rate12.applies },
  refused: { lacks: 'no limit was spent', at: 'run', shows: isRefused },
};

const ratePlants: readonly AnswerPlant[] = LIMIT_DEFECTS.map(({ id, clause, says, having, change }) => {
  const { lacks, at = 'operation', concerns = () => true, shows = () => true } = LIMITED[having];
  return plant({
    ...{ id, clause, text: says, lacks, at },
    concerns: (operation, description, under) =>
      concerns(operation, description, under) && (having !== 'counted' || change([], under.terms.rateLimits) !== null),
    change(subject, response) {
      const { rateLimits } = subject.terms;
      const difference = shows(subject, response) ? change(response.headers, rateLimits) : null;
      return difference === null ? null : differing(response, difference);
    },
  });
});

function isRefused({ exchange, terms }: Subject): boolean {
  return exchange.response !== null && isRefusalOfLimiter(exchange.response, terms.rateLimits);
}

function readingIn(subject: Subject): RateReading | null {
  return readingOf(subject.exchange, limitedBy(subject.terms, subject.description?.operations));
}

function isRead(subject: Subject): boolean {
  const reading = readingIn(subject);
  return reading !== null && reading.limit !== null && reading.remaining !== null;
}

export const answerPlants: readonly AnswerPlant[] = [...statusPlants, ...pagePlants, ...ratePlants];
