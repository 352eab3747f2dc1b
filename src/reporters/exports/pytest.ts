// The causes as a file of pytest, which runs beside the tests of Schemathesis: plain requests, each with what must hold of its answer.
import {
  type CauseTests,
  type FindingTest,
  leftOutLines,
  type PlainTest,
  parted,
  whyNotReadElsewhere,
} from './cause-tests.ts';
import type { BodyDemand, Expectation, HeaderDemand } from './expectation.ts';
import { bodySentence, freshIn, headerSentence, quoted, statusSentence } from './javascript.ts';
import { BASE_VARIABLE, FRESH_LETTERS, type Part, type Parts } from './request.ts';

export function pytestFile(causes: readonly CauseTests[], head: readonly string[], baseUrl: string): string {
  const { causes: written, leftOut } = parted(causes, whyNotReadElsewhere);
  return [
    ...[...head, ...leftOutLines(leftOut)].map((line) => `# ${line}`.trimEnd()),
    IMPORTS,
    `TARGET_URL = os.environ.get("TARGET_URL", ${quoted(baseUrl)}).rstrip("/")`,
    '',
    HELPERS,
    ...written.flatMap(({ title, tests }) => tests.map((test) => testText(title, test))),
  ].join('\n');
}

function testText(cause: string, { title, message, fingerprint, plain }: FindingTest & { plain: PlainTest }): string {
  const { request, expectation } = plain;
  const { method, url, headers, body } = request;
  const fresh = freshIn([url, ...headers.map(([, value]) => value), body ?? []]);
  const list = headers.map(([name, value]) => `${quoted(name)}: ${literal(value)}`).join(', ');
  const sent = [quoted(method), literal(url), `{${list}}`, ...(body === null ? [] : [literal(body)])];
  return [
    '',
    `def test_${nameOf(cause.split(':')[0] ?? '')}_${nameOf(fingerprint)}():`,
    `    # ${cause} – ${title}`,
    `    # ${message}`,
    ...fresh.map((number) => `    fresh${number} = letters()`),
    `    answer = send(${sent.join(', ')})`,
    ...conditionsOf(expectation).map(
      ({ sentence, expression }) =>
        `    assert ${expression}, f"answered {answer.status_code}: " + ${quoted(sentence)}`,
    ),
    '',
  ].join('\n');
}

function nameOf(text: string): string {
  return text.toLowerCase().replaceAll(/\W+/g, '_');
}

function conditionsOf({ statuses, but, header, body }: Expectation) {
  const ranges = statuses.map(([lowest, highest]) => `${lowest} <= answer.status_code <= ${highest}`);
  const except = but.map((status) => ` and answer.status_code != ${status}`).join('');
  return [
    { sentence: statusSentence({ statuses, but }), expression: `(${ranges.join(' or ')})${except}` },
    ...(header === null ? [] : [{ sentence: headerSentence(header), expression: headerExpression(header) }]),
    ...(body === null ? [] : [{ sentence: bodySentence(body), expression: bodyExpression(body) }]),
  ];
}

function headerExpression({ name, types }: HeaderDemand): string {
  if (types === null) return `${quoted(name)} in answer.headers`;
  const value = `answer.headers.get(${quoted(name)}, "").split(";")[0].strip().lower()`;
  return `any(fnmatch.fnmatchcase(${value}, kind) for kind in ${quoted(types)})`;
}

function bodyExpression({ at, must }: BodyDemand): string {
  const demand = {
    present: () => 'value is not MISSING',
    status: () => 'value == answer.status_code and not isinstance(value, bool)',
    type: () => (must.be === 'type' ? must.types.map((type) => TYPES[type]).join(' or ') : ''),
    value: () =>
      must.be === 'value'
        ? must.values.map((value) => `is_same(value, json.loads(${quoted(JSON.stringify(value))}))`).join(' or ')
        : '',
  }[must.be]();
  return `every_at(answer, ${quoted(at)}, lambda value: ${demand})`;
}

const TYPES: Readonly<Record<string, string>> = {
  array: 'isinstance(value, list)',
  boolean: 'isinstance(value, bool)',
  integer: 'is_number(value) and value == int(value)',
  null: 'value is None',
  number: 'is_number(value)',
  object: 'isinstance(value, dict)',
  string: 'isinstance(value, str)',
};

/** A literal: a string of JSON is one of Python, too. */
function literal(parts: Parts): string {
  return parts.length === 0 ? '""' : parts.map(inSum).join(' + ');
}

function inSum(part: Part): string {
  if ('text' in part) return quoted(part.text);
  if ('fresh' in part) return `fresh${part.fresh}`;
  return part.variable === BASE_VARIABLE ? 'TARGET_URL' : `env(${quoted(part.variable)})`;
}

const IMPORTS = `
import fnmatch
import json
import os
import random
import string
import time

import requests
`;

const HELPERS = `LONGEST_ANSWER_SECONDS = 30
MISSING = object()


def env(name):
    """The environment's variable, which holds a token or what else no report shows."""
    value = os.environ.get(name)
    assert value, f"{name} is not set: the request cannot be sent as it was"
    return value


def letters():
    """Letters that make a name new."""
    return "".join(random.choices(string.ascii_lowercase, k=${FRESH_LETTERS}))


def send(method, url, headers, body=None):
    """The answer, which must have come whole in time."""
    began = time.monotonic()
    answer = requests.request(
        method,
        url,
        headers=headers,
        data=None if body is None else body.encode(),
        allow_redirects=False,
        timeout=LONGEST_ANSWER_SECONDS,
    )
    assert time.monotonic() - began < LONGEST_ANSWER_SECONDS, "it is not answered in time"
    return answer


def every_at(answer, place, is_as_it_must_be):
    """Whether a value stands at the place, and all that do are as they must be; "*" is each item of a list, or each value of a map."""
    try:
        found = [answer.json()]
    except ValueError:
        return False
    for name in place:
        found = [value for held in found for value in below(held, name)]
    return len(found) > 0 and all(is_as_it_must_be(value) for value in found)


def below(held, name):
    if isinstance(held, list):
        return held if name == "*" else [MISSING]
    if isinstance(held, dict):
        return list(held.values()) if name == "*" else [held.get(name, MISSING)]
    return []


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_same(value, other):
    return value == other and isinstance(value, bool) == isinstance(other, bool)

`;
