// The violations of a report as tests that stay: by cause, for each finding the request that shows it and what must hold of the
// answer, or the command that looks at it again. What is written of them for a stack is the formats' affair.
import type { Finding, Report, ReportedExchange } from '../../contract/report.ts';
import { groupFindings } from '../grouping.ts';
import { visibleText } from '../text.ts';
import { isAcceptedIn, replayCommand, startCommand } from '../words.ts';
import { type Expectation, expectationOf } from './expectation.ts';
import { BASE_VARIABLE, sendable, type TestRequest } from './request.ts';

export interface CauseTests {
  /** "REQ-09: a request drops the connection". */
  readonly title: string;
  readonly tests: readonly FindingTest[];
}

export interface FindingTest {
  readonly fingerprint: string;
  /** "GET /v1/stores", or what stands in its place. */
  readonly title: string;
  /** The sight of it, in one line. */
  readonly message: string;
  /** The request and what must hold of its answer; null where one request does not tell whether the finding is gone. */
  readonly plain: PlainTest | null;
  /** Why there is no such request; empty where there is. */
  readonly because: string;
  /** The command that looks at it again; empty where there is none. */
  readonly replay: string;
}

export interface PlainTest {
  readonly request: TestRequest;
  readonly expectation: Expectation;
  /** Set: what came is no HTTP to Node, and other programs may read it. */
  readonly isUnreadable: boolean;
  /** The operation that it calls, as its description has it; null where it calls none. */
  readonly described: { readonly spec: string; readonly operation: string } | null;
}

/** The causes of the violations that decide the verdict, in the report's order. `from`: where replays find the report. */
export function causeTests(report: Report, from: string): readonly CauseTests[] {
  const exchanges = new Map(report.exchanges.map((exchange) => [exchange.id, exchange]));
  const command = startCommand(report, { '--from': from });
  const wanted = report.findings.filter((finding) => finding.kind === 'violation' && !isAcceptedIn(report, finding));
  return groupFindings(wanted).map(({ clause, cause, findings }) => ({
    title: oneLine(`${clause}: ${cause}`),
    tests: findings.map((finding) => {
      const { fingerprint, service, operation } = finding;
      const known = finding.exchanges.flatMap((id) => exchanges.get(id) ?? []);
      const where = operation ?? (service === null ? 'the target as a whole' : service);
      return {
        ...{ fingerprint, title: oneLine(where), message: oneLine(finding.message) },
        ...plainOf(finding, known, report),
        replay: replayCommand(finding, command),
      };
    }),
  }));
}

function plainOf(finding: Finding, known: readonly ReportedExchange[], report: Report) {
  const because = (reason: string) => ({ plain: null, because: reason });
  const last = known.at(-1);
  if (last === undefined || finding.curl === null) return because('no request to the target shows it');
  if (finding.intermittent) return because('it does not show each time');
  if (finding.namesMade === true) return because('its request names something that the run made');
  const { service, operation } = finding;
  const row = report.operations.find((one) => one.service === service && one.operation === operation);
  const expectation = expectationOf(finding, last, row);
  if (expectation === null) return because('one answer does not tell whether it is gone');
  if (finding.clause === 'REQ-09' && new Set(known.map(requestIn)).size > 1)
    return because('it takes more than one request to tell');
  const sent = sendable(last, report);
  if ('because' in sent) return because(sent.because);
  const isUnreadable = last.failure?.startsWith('protocol: ') ?? false;
  const spec = report.services.find(({ name }) => name === service)?.spec ?? null;
  const described = spec === null || operation === null ? null : { spec, operation };
  return { plain: { request: sent.request, expectation, isUnreadable, described }, because: '' };
}

function requestIn({ request: { method, url, body } }: ReportedExchange): string {
  return JSON.stringify([method, url, body]);
}

/** The text in one line; what would end a comment or hide what follows can be seen. */
export function oneLine(text: string): string {
  return visibleText(text.replaceAll(/\s+/g, ' ').trim());
}

/** A cause with its tests that stand in a file, and those that it leaves out. */
export interface Parted {
  readonly causes: readonly {
    readonly title: string;
    readonly tests: readonly (FindingTest & { plain: PlainTest })[];
  }[];
  readonly leftOut: readonly (FindingTest & { readonly cause: string })[];
}

/** The tests as a stack can have them. `whyNot`: why it cannot send a request that others can; null where it can. */
export function sentBy(
  causes: readonly CauseTests[],
  whyNot: (test: PlainTest) => string | null,
): readonly CauseTests[] {
  return causes.map(({ title, tests }) => ({
    title,
    tests: tests.map((test) => {
      const because = test.plain === null ? null : whyNot(test.plain);
      return because === null ? test : { ...test, plain: null, because };
    }),
  }));
}

/** The tests by whether one request tells of them. */
export function parted(judged: readonly CauseTests[]): Parted {
  return {
    causes: judged
      .map(({ title, tests }) => ({ title, tests: tests.flatMap((test) => (hasPlain(test) ? [test] : [])) }))
      .filter(({ tests }) => tests.length > 0),
    leftOut: judged.flatMap(({ title, tests }) =>
      tests.filter(({ plain }) => plain === null).map((test) => ({ ...test, cause: title })),
    ),
  };
}

/** The reason why a program with a parser of HTTP of its own cannot tell whether the finding is gone; null where it can. */
export function whyNotReadElsewhere({ isUnreadable }: PlainTest): string | null {
  return isUnreadable ? 'what is answered is no HTTP, which other programs may read all the same' : null;
}

function hasPlain(test: FindingTest): test is FindingTest & { plain: PlainTest } {
  return test.plain !== null;
}

/** The variables that the requests take, in the order met, without the target's address. */
export function variablesIn(tests: readonly PlainTest[]): readonly string[] {
  const parts = tests.flatMap(({ request: { url, headers, body } }) => [
    ...url,
    ...headers.flatMap(([, value]) => value),
    ...(body ?? []),
  ]);
  const names = parts.flatMap((part) => ('variable' in part ? [part.variable] : []));
  return [...new Set(names)].filter((name) => name !== BASE_VARIABLE);
}

/** Lines on what a file leaves out, by cause and reason, and how the first finding of each is looked at; none where nothing is. */
export function leftOutLines(leftOut: Parted['leftOut']): readonly string[] {
  if (leftOut.length === 0) return [];
  const alike = Map.groupBy(leftOut, ({ cause, because }) => `${cause} ${because}`);
  const lines = [...alike.values()].flatMap((findings) => {
    const { cause, because, title, replay } = findings[0]!;
    const more = findings.length === 1 ? '' : ` and ${findings.length - 1} more`;
    return [`  ${cause} (${title}${more}): ${because}`, ...(replay === '' ? [] : [`    ${oneLine(replay)}`])];
  });
  return ['Not in this file:', ...lines];
}
