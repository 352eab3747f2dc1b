// Shared parts of all views of the history: the selection, links that keep it, and names of runs.
import { number, plural } from '../../contract/numbers.ts';
import type { RunRow, Selection } from '../../run/history/rows.ts';
import { cut } from '../text.ts';

/** The newest runs of a selection that a view looks at. */
export const RUNS_DRAWN = 500;
const TEXT_CHARS = 120;

/** The questions in the address of a page. */
export interface Asked extends Selection {
  readonly page: number;
  readonly operation: string | null;
  readonly clause: string | null;
  readonly left: string | null;
  readonly right: string | null;
}

/** The parameters of an address; what is none of ours, or empty, asks for nothing. */
export function askedIn(query: URLSearchParams): Asked {
  const text = (name: string): string | null => query.get(name) || null;
  const page = Number(query.get('page'));
  return {
    ...{ host: text('target'), branch: text('branch'), suite: text('suite') },
    ...{ operation: text('operation'), clause: text('clause'), left: text('left'), right: text('right') },
    page: Number.isSafeInteger(page) && page > 1 ? page : 1,
  };
}

/** A link to a view, with what is selected and what else it asks for. */
export function linkTo(path: string, { host, branch }: Pick<Selection, 'host' | 'branch'>, more: object = {}): string {
  const given = Object.entries({ target: host, branch, ...more }).filter(([, value]) => value !== null && value !== '');
  const query = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** "2026-11-23 07:51", in UTC. */
export function minuteOf(startedAt: string): string {
  return `${startedAt.slice(0, 10)} ${startedAt.slice(11, 16)}`;
}

/** "main, 3f2a91c"; empty where neither is known. */
export function placeOf({ branch, commit }: Pick<RunRow, 'branch' | 'commit'>): string {
  return [branch === null ? '' : cut(branch, TEXT_CHARS), (commit ?? '').slice(0, 7)].filter(Boolean).join(', ');
}

/** The word and the colour of a verdict. */
export function verdictOf({ verdict, suite }: Pick<RunRow, 'verdict' | 'suite'>) {
  const [pass, fail] = suite === 'conform' ? ['keeps', 'breaks'] : ['met', 'missed'];
  if (verdict === 'none') return { word: 'no verdict', tone: 'not-tested' };
  return verdict === 'pass' ? { word: pass, tone: 'pass' } : { word: fail, tone: 'fail' };
}

/** "57 of 57 operations"; reach is what was tested of what was in scope. */
export function reachOf({ operations, operationsTested }: Pick<RunRow, 'operations' | 'operationsTested'>): string {
  return `${number(operationsTested)} of ${number(operations)}`;
}

/** Milliseconds in two digits; null where unknown. */
export function twoDigits(ms: number | null): number | null {
  return ms === null ? null : Number(ms.toPrecision(2));
}

/** Words on how many runs a view tells, where these are not all. */
export function bounded(all: number): string {
  return all > RUNS_DRAWN ? `the newest ${number(RUNS_DRAWN)} of ${plural(all, 'run')}` : plural(all, 'run');
}

/** "staging.example.com (staging)": a target with its environment, where its name does not say it. */
export function targetName({ host, environment }: Pick<RunRow, 'host' | 'environment'>): string {
  const isSaid = environment === null || environment === 'local' || host.includes(environment);
  return short(isSaid ? host : `${host} (${environment})`);
}

/** A text of the target, at a length that a table bears. */
export function short(text: string): string {
  return cut(text, TEXT_CHARS);
}
