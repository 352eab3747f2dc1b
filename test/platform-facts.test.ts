// No fact of one platform stands in code that other contracts reach. The forbidden strings are those of the platform's own contract file: its
// paths, the headers, error codes and members that it names. The reference platform has its own room, and knows them.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { COMMERCE_TERMS, shippedContract } from '../src/contract/shipped.ts';
import { ROOT, SOURCES } from './sources.ts';

/** Files that are still to be read by the contract. */
const LEFT: ReadonlySet<string> = new Set([
  'src/checks/answer.ts',
  'src/checks/auth/auth-01-to-06-refusals.ts',
  'src/checks/client/client-06-keys.ts',
  'src/checks/client/client-10-walks.ts',
  'src/checks/err/err-02.ts',
  'src/checks/err/err-05.ts',
  'src/checks/err/err-06-request-ids.ts',
  'src/checks/err/err-09.ts',
  'src/checks/err/err-11.ts',
  'src/checks/idem/idem-01-replay.ts',
  'src/checks/idem/idem-05-paid-once.ts',
  'src/checks/idem/idem-06-silent-header.ts',
  'src/checks/pag/pag-01.ts',
  'src/checks/pag/pag-03.ts',
  'src/checks/pag/pag-04-to-09-page.ts',
  'src/checks/pag/pag-04.ts',
  'src/checks/pag/pag-12.ts',
  'src/checks/pag/sequence.ts',
  'src/checks/pag/told-total.ts',
  'src/checks/rate/rate-01.ts',
  'src/checks/rate/rate-09-export-throttle.ts',
  'src/checks/rate/rate-10-ceiling.ts',
  'src/checks/rate/rate-10-expectations.ts',
  'src/checks/rate/rate-10-sustained-rate.ts',
  'src/checks/refusal.ts',
  'src/checks/req/req-01-to-08-answers.ts',
  'src/checks/req/req-07-registration.ts',
  'src/checks/req/status-classes.ts',
  'src/checks/spec/spec-05.ts',
  'src/checks/spec/spec-07.ts',
  'src/cli/commands/conform.ts',
  'src/cli/commands/init.ts',
  'src/cli/commands/load.ts',
  'src/cli/conform/changed-since.ts',
  'src/cli/conform/hooks-around-calls.ts',
  'src/cli/conform/prepare.ts',
  'src/cli/contract/drafted-headers.ts',
  'src/cli/init/way-to-target.ts',
  'src/cli/process/options.ts',
  'src/cli/traffic/options.ts',
  'src/client/call-hooks.ts',
  'src/client/retry.ts',
  'src/config/config.schema.json',
  'src/config/config.ts',
  'src/config/constant-header.ts',
  'src/config/contract.schema.json',
  'src/config/list-places.ts',
  'src/config/skip.ts',
  'src/config/waivers.schema.json',
  'src/contract/bindings/idem.ts',
  'src/contract/clauses/auth.ts',
  'src/contract/clauses/client.ts',
  'src/contract/clauses/err.ts',
  'src/contract/clauses/idem.ts',
  'src/contract/clauses/pag.ts',
  'src/contract/clauses/rate.ts',
  'src/contract/clauses/req.ts',
  'src/contract/clauses/service.ts',
  'src/contract/clauses/spec.ts',
  'src/contract/code.ts',
  'src/contract/load-part.ts',
  'src/contract/operation-glob.ts',
  'src/contract/report.schema.json',
  'src/contract/report.ts',
  'src/contract/sent-words.ts',
  'src/contract/terms-of.ts',
  'src/contract/terms.ts',
  'src/exchange/delivered-events.ts',
  'src/exchange/exchange.ts',
  'src/facts/key-history.ts',
  'src/facts/nouns.ts',
  'src/facts/places-of-items.ts',
  'src/generate/targets/operation-inputs.ts',
  'src/limiters/stated.ts',
  'src/openapi/model/catalogue.ts',
  'src/openapi/model/operation.ts',
  'src/openapi/model/servers.ts',
  'src/probes/idempotency/family.ts',
  'src/probes/idempotency/keyed-operation.ts',
  'src/probes/idempotency/keys.ts',
  'src/probes/idempotency/limited.ts',
  'src/probes/idempotency/near-keys.ts',
  'src/probes/idempotency/observations.ts',
  'src/probes/idempotency/other-body.ts',
  'src/probes/reach/knowledge.ts',
  'src/probes/requests/hostile-input.ts',
  'src/probes/requests/platform-places.ts',
  'src/reporters/exports/cause-tests.ts',
  'src/reporters/exports/request.ts',
  'src/reporters/html/findings.ts',
  'src/reporters/html/script.ts',
  'src/reporters/html/text.ts',
  'src/reporters/terminal/progress.ts',
  'src/reporters/terminal/terminal.ts',
  'src/run/books/creation-bound.ts',
  'src/run/books/creations.ts',
  'src/run/books/first-answers.ts',
  'src/run/books/journal.ts',
  'src/run/books/traffic.ts',
  'src/run/load/creations.ts',
  'src/run/load/forecast.ts',
  'src/run/plan/claims.ts',
  'src/run/plan/consent.ts',
  'src/run/plan/experiments.ts',
  'src/run/plan/places.ts',
  'src/run/reach/fixed-input.ts',
  'src/run/traffic/addresses.ts',
  'src/run/traffic/keyed-calls.ts',
  'src/run/traffic/spoiled-calls.ts',
  'src/sensitivity/plants/keys.ts',
  'src/sensitivity/plants/lists.ts',
  'src/simulation/cases.ts',
  'src/telemetry/attributes.ts',
]);

/** The reference platform, and the tests of all rooms. */
const isFree = (path: string): boolean => path.startsWith('src/platform/') || /\.test(-d)?\.ts$/.test(path);
const FILES = globSync('{src,suites,bin}/**/*.{ts,js,json}', { cwd: ROOT })
  .filter((path) => !isFree(path) && !LEFT.has(path))
  .sort();

/** Customs of the field that the platform follows, each with the one file that names them for everybody. */
const CUSTOMS: Readonly<Record<string, string>> = {
  'idempotency-key': 'src/exchange/idempotency-key.ts',
  'x-ratelimit-limit': 'src/contract/customs.ts',
  'x-ratelimit-remaining': 'src/contract/customs.ts',
  'x-ratelimit-reset': 'src/contract/customs.ts',
};

/** Every text that stands in the contract file, at any depth, names of members included. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return [...(Array.isArray(value) ? [] : Object.keys(value)), ...Object.values(value).flatMap(textsIn)];
}

/** A path's parts that no other path has by chance: two names in a row, and names of several words. */
function partsOf(path: string): readonly string[] {
  const names = path.split('/').filter((name) => name !== '' && !/[{*]/.test(name));
  const pairs = names.slice(1).map((name, at) => `${names[at]}/${name}`);
  return [...pairs, ...names.filter((name) => name.includes('-'))];
}

function forbidden(): ReadonlySet<string> {
  const texts = textsIn(shippedContract('commerce'));
  const paths = texts.flatMap((text) => /^(?:[A-Z]+ )?(\/api\/\S+)$/.exec(text)?.[1] ?? []);
  const { limit = '', remaining = '', reset = '' } = COMMERCE_TERMS.rateLimits?.headers ?? {};
  const headers = [COMMERCE_TERMS.idempotency?.header ?? '', limit, remaining, reset ?? ''];
  // Codes, types and members of several words: what is one word says nothing of who uses it.
  const names = texts.flatMap((text) => /(?:^|\/)([a-z]+(?:_[a-z]+)+)$/.exec(text)?.[1] ?? []);
  const words = names.filter((name) => name !== 'snake_case');
  return new Set([...paths.flatMap(partsOf), ...words, ...headers].map((text) => text.toLowerCase()));
}

const FORBIDDEN = [...forbidden()];

/** The forbidden strings that the text holds. */
function named(text: string): readonly string[] {
  const lower = text.toLowerCase().replace(/ from '.*'/, '');
  return FORBIDDEN.filter((one) => new RegExp(`(?<![\\w-])${one}(?![\\w-])`).test(lower));
}

it('the forbidden strings are those of the contract', () => {
  expect(FORBIDDEN).toEqual(
    expect.arrayContaining([
      ...[
        'api/v1',
        'api/internal',
        'process-payment',
        'activity/logs',
        'auth/register',
        'email-forwards',
        'health/live',
      ],
      ...[
        'auth_token_invalid',
        'validation_error',
        'request_id',
        'total_pages',
        'idempotency-key',
        'x-ratelimit-reset',
      ],
    ]),
  );
  expect(named("'POST /api/v1/auth/register'")).toEqual(['api/v1', 'v1/auth', 'auth/register']);
  expect(named('const code = body.error.code;')).toEqual([]);
});

it('nothing outside of the reference platform names a path, header, code or member of the platform', () => {
  const found = FILES.flatMap((path) =>
    readFileSync(join(ROOT, path), 'utf8')
      .split('\n')
      .flatMap((line, at) =>
        named(line)
          .filter((one) => CUSTOMS[one] !== path)
          .map((one) => `${path}:${at + 1}: ${one}`),
      ),
  );
  expect(found).toEqual([]);
});

/** Where faults of the reference platform may be known: it, what plants defects in answers, what simulates, and the tool's check of itself. */
const KNOW_FAULTS = ['src/platform/', 'src/sensitivity/', 'src/simulation/', 'src/certify/', 'src/cli/'];

it('nothing that judges or plans knows which faults the reference platform has', () => {
  const knowing = [...SOURCES.values()].filter(
    ({ path, targets }) =>
      !isFree(path) &&
      !KNOW_FAULTS.some((place) => path.startsWith(place)) &&
      targets.some((target) => /^src\/(platform\/(faults|tolerances)\/|simulation\/(cases|ladder))/.test(target)),
  );
  expect(knowing.map(({ path }) => path)).toEqual([]);
});
