// Checks of the user's own, which the configuration brings. Unlike ours they may be wrong: what they throw or answer
// amiss is told as an error of the harness, and never counts as a clause that holds.

import { hash } from 'node:crypto';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Clause, Level } from '../contract/clause.ts';
import { codeOf } from '../contract/code.ts';
import { type Breach, breached, cannotTell, holds, type Judgement, type OwnBreach } from '../contract/judgement.ts';
import { ownClause } from '../contract/own-clauses.ts';
import { REASON_CODES } from '../contract/report.ts';
import { redactQuoted } from '../exchange/error-messages.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { oncePer } from '../exchange/once-per.ts';
import type { FactKind } from '../facts/item-facts.ts';
import type { Item } from '../facts/item-history.ts';
import type { JsonObject } from '../openapi/json.ts';
import type { Description } from '../openapi/model/operation.ts';
import type { DescriptionCheck, DescriptionJudgement, ExchangeCheck, Subject } from './check.ts';

/** The answer of a check of the user's own. */
export type OwnJudgement = Judgement<OwnBreach>;
export type OwnDescriptionJudgement = DescriptionJudgement<OwnBreach>;

interface OwnClause {
  /** X-01, X-CACHE-01: never that of another check. */
  readonly clause: string;
  readonly level: Level;
  /** The law of the clause, in one sentence. */
  readonly text: string;
}

/** Judges every exchange that it applies to, whoever caused it. */
export interface OwnExchangeCheck extends OwnClause {
  /** Tells whether the clause speaks about this exchange; absent: about every one that was answered. */
  applies?(subject: Subject): boolean;
  judge(subject: Subject): OwnJudgement;
}

/** Judges each description, before anything is sent. */
export interface OwnDescriptionCheck extends OwnClause {
  judgeDescription(description: Description): readonly OwnDescriptionJudgement[];
}

/** A fact on an item: what one exchange did to it, or showed of it. */
export interface OwnFact {
  /** made, amended, replaced, removed; shown, missing: by a reading; and the others that `FactKind` names. */
  readonly kind: FactKind;
  readonly exchange: Exchange;
  /** Key of the operation that was called. */
  readonly operation: string;
  /** Members of the JSON object that was sent. */
  readonly sent: JsonObject;
  /** The item as a reading shows it; null for none, and for a write. */
  readonly shown: JsonObject | null;
}

/** An item that was made, and what was seen of it until now. */
export interface OwnItem {
  readonly id: string;
  /** In the order seen, whoever called; never empty. */
  readonly facts: readonly OwnFact[];
}

/** Judges the life of items: asked anew with each fact on an item. */
export interface OwnItemLaw extends OwnClause {
  /** Null: it says nothing of the newest fact. */
  judgeItem(item: OwnItem): OwnJudgement | null;
}

export type OwnCheck = OwnExchangeCheck | OwnDescriptionCheck | OwnItemLaw;

/** A check and the file that brings it, as the user names it. */
export interface BroughtCheck {
  readonly check: OwnCheck;
  readonly file: string;
}

/** Told once for a check, and then never again: it judges nothing more. */
export type OnFailure = (clause: string, sentence: string) => void;

/** The clause that the check brings. */
export function clauseOfCheck({ check: { clause, level, text } }: BroughtCheck): Clause {
  return ownClause({ id: clause, level, text });
}

/** The check as one of ours; null for a check that is no check of exchanges. */
export function asExchangeCheck(brought: BroughtCheck, onFailure: OnFailure): ExchangeCheck | null {
  const { check } = brought;
  if (!('judge' in check)) return null;
  const guard = guardOf(brought, onFailure);
  return {
    clause: check.clause,
    title: check.text,
    applies: (subject) =>
      guard.attempt('applies', false, () => {
        if (check.applies === undefined) return subject.exchange.response !== null;
        const speaks: unknown = check.applies(copyOf(subject));
        if (typeof speaks !== 'boolean') throw new Error(`answers ${kindOf(speaks)}, not true or false`);
        return speaks;
      }),
    judge: (subject) =>
      guard.attempt('judge', guard.failed, () => {
        const body = subject.exchange.response?.body ?? '';
        return sound(check, check.judge(copyOf(subject)), (text) => redactQuoted(text, body));
      }),
  };
}

/** A law of the user's own as it is asked here. */
export interface GuardedItemLaw {
  readonly clause: string;
  judge(item: Item): Judgement | null;
}

/** The check as a law over items; null for any other. */
export function asItemLaw(brought: BroughtCheck, onFailure: OnFailure): GuardedItemLaw | null {
  const { check } = brought;
  if (!('judgeItem' in check)) return null;
  const guard = guardOf(brought, onFailure);
  return {
    clause: check.clause,
    judge: ({ id, facts }) =>
      guard.attempt('judgeItem', guard.failed, () => {
        const seen = facts.map(({ kind, exchange, by, sent, shown }): OwnFact => {
          const own = structuredClone({ sent, shown });
          return { kind, exchange: copied(exchange), operation: by.key, ...own };
        });
        const answer = check.judgeItem({ id, facts: seen });
        const bodies = facts.map(({ exchange: { response } }) => response?.body ?? '');
        return answer === null ? null : sound(check, answer, (text) => bodies.reduce(redactQuoted, text));
      }),
  };
}

/** The check as one of ours; null for a check that is no check of descriptions. */
export function asDescriptionCheck(brought: BroughtCheck, onFailure: OnFailure): DescriptionCheck | null {
  const { check } = brought;
  if (!('judgeDescription' in check)) return null;
  const guard = guardOf(brought, onFailure);
  return {
    clause: check.clause,
    title: check.text,
    judge: (description) =>
      guard.attempt('judgeDescription', [{ operation: null, judgement: guard.failed }], () => {
        const answers: unknown = check.judgeDescription(description);
        if (!Array.isArray(answers)) throw new Error(`answers ${kindOf(answers)}, not a list of judgements`);
        const known = new Set(description.operations.map(({ key }) => key));
        return answers.map((answer) => soundOnDescription(check, answer, known));
      }),
  };
}

/** The exchange for checks of the user's own: what one changes in it, nobody else sees. */
const copied = oncePer((exchange: Exchange): Exchange => structuredClone(exchange));

function copyOf(subject: Subject): Subject {
  return { ...subject, exchange: copied(subject.exchange) };
}

function guardOf({ check: { clause }, file }: BroughtCheck, onFailure: OnFailure) {
  let isBroken = false;
  return {
    failed: cannotTell('harness-error', `the check of ${clause} in ${file} failed`),
    attempt<T>(what: string, otherwise: T, work: () => T): T {
      if (isBroken) return otherwise;
      try {
        return work();
      } catch (error) {
        isBroken = true;
        const why = error instanceof Error ? error.message : String(error);
        onFailure(clause, `the check of ${clause} in ${file} failed: ${what}: ${why.split('\n', 1)[0]}`);
        return otherwise;
      }
    },
  };
}

function soundOnDescription(check: OwnClause, answer: unknown, known: ReadonlySet<string>): DescriptionJudgement {
  const { operation, judgement } = (answer ?? {}) as Partial<DescriptionJudgement>;
  if (operation !== null && (typeof operation !== 'string' || !known.has(operation)))
    throw new Error('answers with an operation that the description does not have (null: the whole)');
  return { operation, judgement: sound(check, judgement, (text) => text) };
}

const TEXT = { type: 'string', minLength: 1 };
/** Words in kebab-case, then values, joined by dots. */
const OWN_CODE = '^[a-z0-9]+(-[a-z0-9]+)*(\\.\\S+)?$';
const LONGEST_CODE = 200;
const JUDGEMENT = {
  type: 'object',
  required: ['kind'],
  discriminator: { propertyName: 'kind' },
  oneOf: [
    {
      properties: { kind: { const: 'holds' }, assertions: { type: 'integer', minimum: 1 } },
      required: ['assertions'],
    },
    {
      properties: {
        kind: { const: 'breached' },
        assertions: { type: 'integer', minimum: 1 },
        breaches: {
          type: 'array',
          minItems: 1,
          items: {
            type: 'object',
            properties: {
              weight: { enum: ['breach', 'advisory', 'observation'] },
              code: { type: 'string', pattern: OWN_CODE, maxLength: LONGEST_CODE },
              cause: TEXT,
              message: TEXT,
              expected: { type: 'string' },
              actual: { type: 'string' },
              pointer: { type: 'string', pattern: '^(/|$)' },
            },
            required: ['weight', 'cause', 'message', 'expected', 'actual'],
          },
        },
      },
      required: ['assertions', 'breaches'],
    },
    {
      properties: { kind: { const: 'cannot-tell' }, reasonCode: { enum: [...REASON_CODES] }, reason: TEXT },
      required: ['reasonCode', 'reason'],
    },
  ],
};

let compiled: ValidateFunction | undefined;

/** Compiled when a check answers for the first time: most runs have none of the user's own. */
function judgementValidator(): ValidateFunction {
  compiled ??= new Ajv2020({ strictRequired: false, strictTypes: false, discriminator: true }).compile(JUDGEMENT);
  return compiled;
}

/** The judgement, made anew of what it says; throws where it is none. `clean` takes out of a text what no report may hold. */
function sound({ clause }: OwnClause, answer: unknown, clean: (text: string) => string): Judgement {
  const validate = judgementValidator();
  const isJudgement: boolean = validate(answer);
  if (!isJudgement) {
    const [problem] = validate.errors ?? [];
    const why =
      typeof answer === 'object' && answer !== null && !(answer instanceof Promise)
        ? `${problem?.instancePath} ${problem?.message}`
        : kindOf(answer);
    throw new Error(`answers no judgement (${why.trim()}): use holds, breached or cannotTell of assay`);
  }
  const judgement = answer as OwnJudgement;
  if (judgement.kind === 'holds') return holds(judgement.assertions);
  if (judgement.kind === 'cannot-tell') return cannotTell(judgement.reasonCode, clean(judgement.reason));
  const breaches = judgement.breaches.map(
    ({ weight, code, cause, message, expected, actual, pointer }): Breach => ({
      ...{ weight, code: ownCode(clause, code === undefined ? null : clean(code), clean(cause)) },
      ...{ cause: clean(cause), message: clean(message), expected: clean(expected), actual: clean(actual) },
      ...(pointer === undefined ? {} : { pointer }),
    }),
  );
  return breached(breaches, judgement.assertions);
}

const SHOWN_OF_CAUSE = 40;
const DIGEST_CHARS = 8;

/** The code that the check gives, after its clause; else one that stays the same for as long as the cause does. */
function ownCode(clause: string, code: string | null, cause: string): string {
  const own = `${clause.toLowerCase()}.`;
  if (code !== null) return code.startsWith(own) ? code : `${own}${code}`;
  const words = cause.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const shown = words.join('-').slice(0, SHOWN_OF_CAUSE).replace(/-$/, '');
  const digest = hash('sha256', cause).slice(0, DIGEST_CHARS);
  return codeOf(clause, shown === '' ? digest : `${shown}-${digest}`);
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (!(value instanceof Promise)) return `a value of type ${typeof value}`;
  // A promise that nobody waits for would end the program where it rejects.
  value.catch(() => {});
  return 'a promise';
}
