// What the package offers to programs: the types of the report, of its findings and of the configuration.
export type { Config, KeyConfig, ServiceConfig } from './config/config.ts';
export type { Clause, ClauseFamily, Level } from './contract/clause.ts';
export { CLAUSES } from './contract/clauses.ts';
export type {
  ClauseRow,
  Confidence,
  Finding,
  Observation,
  OperationRow,
  Report,
  ReportedExchange,
  ServiceRow,
  Verdict,
} from './contract/report.ts';
