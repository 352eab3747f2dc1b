// The causes as tests of Schemathesis, run by pytest: explicit cases of the description's operations, each with a check of its own
// for the answer. Address and body are sent as recorded, for a case would encode them in a way of its own.
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

export function schemathesisFile(causes: readonly CauseTests[], head: readonly string[], baseUrl: string): string {
  const { causes: written, leftOut } = parted(causes);
  return [
    ...[...head, ...leftOutLines(leftOut)].map((line) => `# ${line}`.trimEnd()),
    IMPORTS,
    `TARGET_URL = os.environ.get("TARGET_URL", ${quoted(baseUrl)}).rstrip("/")`,
    '',
    HELPERS,
    ...written.flatMap(({ title, tests }) => tests.map((test) => testText(title, test))),
  ].join('\n');
}

export function whyNoCase(test: PlainTest): string | null {
  const { described, request } = test;
  if (described === null) return 'it calls no operation of a description';
  const isTyped = request.headers.some(([name]) => name.toLowerCase() === 'content-type');
  if (request.body !== null && !isTyped) return 'Schemathesis gives each body a media type';
  return whyNotReadElsewhere(test);
}

function testText(cause: string, { title, message, fingerprint, plain }: FindingTest & { plain: PlainTest }): string {
  const { request, expectation, described } = plain;
  const { method, url, headers, body } = request;
  const fresh = freshIn([url, ...headers.map(([, value]) => value), body ?? []]);
  const list = headers.map(([name, value]) => `${quoted(name)}: ${literal(value)}`).join(', ');
  const [operation = '', path = ''] = described?.operation.split(' ') ?? [];
  const called = `operation(${[described?.spec, path, operation].map(quoted).join(', ')})`;
  const sent = [called, quoted(method), literal(url), `{${list}}`, body === null ? 'None' : literal(body)];
  return [
    '',
    `def test_${nameOf(cause.split(':')[0] ?? '')}_${nameOf(fingerprint)}():`,
    `    # ${cause} – ${title}`,
    `    # ${message}`,
    ...fresh.map((number) => `    fresh${number} = letters()`),
    '',
    '    def as_it_must_be(_context, answer, _case):',
    ...conditionsOf(expectation).map(
      ({ sentence, expression }) =>
        `        assert ${expression}, f"answered {answer.status_code}: " + ${quoted(sentence)}`,
    ),
    '',
    `    call(${sent.join(', ')}, as_it_must_be)`,
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
  const value = `answer.headers.get(${quoted(name)}, [""])[0].split(";")[0].strip().lower()`;
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
import functools
import json
import os
import random
import re
import string
from urllib.parse import parse_qsl, unquote, urlsplit

import requests
import schemathesis
`;

const HELPERS = `LONGEST_ANSWER_SECONDS = 30
MISSING = object()


@functools.cache
def description(place):
    """The description at the place, a file or a URL; DESCRIPTION names another place."""
    place = os.environ.get("DESCRIPTION", place)
    is_url = re.match("https?://", place)
    return schemathesis.openapi.from_url(place) if is_url else schemathesis.openapi.from_path(place)


def operation(place, path, method):
    return description(place)[path][method]


def env(name):
    """The environment's variable, which holds a token or what else no report shows."""
    value = os.environ.get(name)
    assert value, f"{name} is not set: the request cannot be sent as it was"
    return value


def letters():
    """Letters that make a name new."""
    return "".join(random.choices(string.ascii_lowercase, k=${FRESH_LETTERS}))


def call(called, method, url, headers, body, check):
    """Sends a case with the address and the body as recorded, and checks the answer, which must have come whole in time."""
    case = called.Case(
        method=method,
        path_parameters=path_values(called.path, urlsplit(url).path),
        query=dict(parse_qsl(urlsplit(url).query, keep_blank_values=True)),
        headers=headers,
        cookies={},
        **({} if body is None else {"body": body.encode(), "media_type": "text/plain"}),
    )
    answer = case.call(base_url=TARGET_URL, session=AsRecorded(url), timeout=LONGEST_ANSWER_SECONDS, allow_redirects=False)
    assert answer.elapsed < LONGEST_ANSWER_SECONDS, "it is not answered in time"
    case.validate_response(answer, checks=[check])


class AsRecorded(requests.Session):
    """Sends to the recorded address, whose encoding is part of what is shown."""

    def __init__(self, url):
        super().__init__()
        self.url = url

    def request(self, method, url, **given):
        return super().request(method, self.url, **{**given, "params": None})


def path_values(template, path):
    """The values of the template's parameters, which stand at the end of the path."""
    pattern = re.sub(r"\\\\{.*?\\\\}", "([^/]*)", re.escape(template))
    found = re.search(pattern + "$", path)
    names = re.findall(r"\\{(.*?)\\}", template)
    return dict(zip(names, map(unquote, found.groups() if found else [""] * len(names))))


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
