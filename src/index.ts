// The package as programs and configurations use it: running it, extending it, and the types of what it reports.
export type { Subject } from './checks/check.ts';
export type {
  OwnCheck,
  OwnDescriptionCheck,
  OwnDescriptionJudgement as DescriptionJudgement,
  OwnExchangeCheck,
  OwnFact,
  OwnItem,
  OwnItemLaw,
  OwnJudgement as Judgement,
} from './checks/own-check.ts';
export {
  breach,
  header,
  jsonBody,
  type Sample,
  type SampleFact,
  type Seen,
  sampleExchange,
  sampleItem,
  sampleSubject,
} from './checks/own-tools.ts';
export { type AssayConfig, defineConfig, defineExtension } from './cli/conform/define-config.ts';
export type { Extension } from './cli/conform/extensions.ts';
export type { AnsweredCall, Call, GivenHeaders, OwnHook, RunAhead } from './cli/conform/hooks.ts';
export { type RunRequest, run } from './cli/conform/run.ts';
export { NoVerdict } from './cli/process/failure.ts';
export type { Config, KeyConfig, ServiceConfig } from './config/config.ts';
export { UsageError } from './config/errors.ts';
export type { Clause, ClauseFamily, Level } from './contract/clause.ts';
export { CLAUSES } from './contract/clauses.ts';
export { breached, cannotTell, holds, type OwnBreach as Breach, type Weight } from './contract/judgement.ts';
export type { Progress } from './contract/progress.ts';
export type {
  ClauseRow,
  Confidence,
  Finding,
  Observation,
  OperationRow,
  ReasonCode,
  Report,
  ReportedExchange,
  ServiceRow,
  Verdict,
} from './contract/report.ts';
export type { Exchange } from './exchange/exchange.ts';
export type { Description, Operation } from './openapi/model/operation.ts';
export type { OwnFiles, OwnReporter } from './reporters/own-reporter.ts';
