// SCH-01: bodies against their schemas.
import { describe, expect, it } from 'vitest';
import {
  type Changes,
  declaring,
  descriptionWith,
  errorExchange,
  errorObject,
  exchangeWith,
  operationWith,
  subjectOf,
  validationError,
} from '../../../test/support/checks/exchanges.ts';
import { brief, outcome } from '../../../test/support/checks/judging.ts';
import { documentWith, loadFiles } from '../../../test/support/openapi/descriptions.ts';
import type { Description, Operation, SchemaBreach } from '../../openapi/model/operation.ts';
import { AcceptedInput } from './accepted-input.ts';
import { sch01 } from './sch-01.ts';

const finding = (pointer: string, keyword = 'type'): SchemaBreach => ({
  pointer,
  keyword,
  message: 'must be a number',
  expected: 'a number',
});
const finds = (...found: SchemaBreach[]): Partial<Description> => ({ validator: () => () => found });
/** A subject whose operation declares these responses, under a description whose validators say what is given. */
function declared(changes: Changes, responses = [declaring('200', {})], description: Partial<Description> = {}) {
  return subjectOf(exchangeWith(changes), {
    operation: operationWith({ responses }),
    description: descriptionWith(description),
  });
}

/** A subject that answers so, by the schema of its media type. */
async function answering(schema: object, contentType: string, body: string) {
  const document = documentWith('3.1.0', { A: {} });
  const content = { [contentType.split(';')[0] as string]: { schema } };
  const paths = { '/note': { get: { responses: { 200: { description: 'ok', content } } } } };
  const description = await loadFiles({ 'note.json': { ...document, paths } });
  const exchange = exchangeWith({ body, headers: [['content-type', contentType]] });
  return subjectOf(exchange, { operation: description.operations[0] as Operation, description });
}

describe('SCH-01', () => {
  it('holds for a body that validates', () => {
    expect(outcome(sch01, declared({ body: { id: 1 } }))).toBe('holds');
  });

  it('reports place, value and what was expected', () => {
    const body = { items: [{ price: 1 }, { price: 'dear' }] };
    expect(outcome(sch01, declared({ body }, undefined, finds(finding('/items/1/price'))))).toEqual([
      {
        weight: 'breach',
        code: 'sch-01.breaks.type./items/*/price',
        cause: '/items/*/price breaks "type" of its schema',
        message: '/items/1/price is "dear": must be a number',
        expected: 'a number',
        actual: '"dear"',
        pointer: '/items/1/price',
      },
    ]);
  });

  it('takes no integers for alike that are told apart beyond 2^53 alone', () => {
    const twins = finds(finding('/ids', 'uniqueItems'));
    const told = (ids: string) => outcome(sch01, declared({ body: `{"ids":[${ids}]}` }, undefined, twins));
    expect(told('9007199254740993,9007199254740992')).toBe('holds');
    expect(told('9007199254740993,9007199254740993')).toMatchObject([{ pointer: '/ids' }]);
    expect(told('1,1')).toMatchObject([{ pointer: '/ids' }]);
  });

  it.each<[string, object, string, string | null]>([
    ['below a bound', { exclusiveMaximum: 2 ** 63 }, '9223372036854775807', null],
    ['above a bound', { exclusiveMinimum: 2 ** 53 }, '9007199254740993', null],
    ['a multiple', { multipleOf: 3 }, '9007199254740993', null],
    ['no multiple', { multipleOf: 3 }, '9007199254740998', '9007199254740998'],
    ['far above a bound', { exclusiveMaximum: 2 ** 53 }, '9223372036854775807', '9223372036854775807'],
    ['no 64-bit integer', { format: 'int64' }, '18446744073709551615', '18446744073709551615'],
    ['a multiple with no digit lost', { multipleOf: 3 }, '9007199254740991', '9007199254740991'],
  ])('judges an integer that is %s by its digits: %j', async (_, keywords, digits, told) => {
    const subject = await answering(
      { type: 'object', properties: { id: keywords } },
      'application/json',
      `{"id":${digits}}`,
    );
    const message = expect.stringContaining(`${told}`);
    expect(outcome(sch01, subject)).toEqual(
      told === null ? 'holds' : [expect.objectContaining({ actual: told, message })],
    );
  });

  it('tells how many more breaches an answer has than are listed', () => {
    const body = Object.fromEntries(Array.from({ length: 13 }, (_, index) => [`m${index}`, 'x']));
    const found = outcome(
      sch01,
      declared({ body }, undefined, finds(...Object.keys(body).map((name) => finding(`/${name}`)))),
    );
    expect(found).toHaveLength(10);
    expect(JSON.stringify(found)).toContain('(and 3 more in this answer)');
  });

  it.each<[string, object, string, string, boolean | 'cannot tell']>([
    ['an integer', { type: 'integer' }, 'text/plain', '42', true],
    ['an integer with the end of its line', { type: 'integer' }, 'text/plain; charset=utf-8', '42\n', true],
    ['a word for an integer', { type: 'integer' }, 'text/plain', 'forty-two', false],
    ['a text of digits', { type: 'string' }, 'text/plain', '42', true],
    ['a boolean', { type: 'boolean' }, 'text/plain', 'true', true],
    ['a text that breaks its pattern', { type: 'string', pattern: '^[A-Z]' }, 'text/plain', 'note', false],
    ['a value of an enumeration', { enum: ['a', 'b'] }, 'text/plain', 'a', true],
    ['a value outside its enumeration', { type: 'string', enum: ['a', 'b'] }, 'text/plain', 'c', false],
    ['rows', { type: 'array', items: { type: 'object' } }, 'text/csv', 'a,b', 'cannot tell'],
    ['XML', { type: 'object' }, 'application/xml', '<a/>', 'cannot tell'],
    ['a string in XML', { type: 'string', maxLength: 1 }, 'application/xml', 'abc', 'cannot tell'],
  ])('judges %s as text by its schema, or says that it does not', async (_, schema, contentType, body, expected) => {
    const subject = await answering(schema, contentType, body);
    expect(sch01.applies(subject)).toBe(true);
    const judgement = sch01.judge(subject);
    if (expected === 'cannot tell') expect(judgement.kind).toBe('cannot-tell');
    else expect(judgement.kind === 'breached' && judgement.breaches.length > 0).toBe(!expected);
  });

  it('leaves a wrong value that the run itself sent, and that was accepted, to the clauses on requests', () => {
    const sent = (intent: 'invalid' | 'sound', status: number): AcceptedInput => {
      const accepted = new AcceptedInput();
      const plan = { intent, body: { kind: 'json', value: { price: 'dear', tags: [7] } } } as const;
      accepted.observe(exchangeWith({ status, plan }));
      return accepted;
    };
    const judged = (body: object, pointer: string, accepted: AcceptedInput, keyword = 'enum') =>
      brief(sch01, { ...declared({ body }, undefined, finds(finding(pointer, keyword))), accepted });
    const list = { items: [{ price: 1 }, { price: 'dear' }] };
    expect(judged(list, '/items/1/price', sent('invalid', 201))).toBe('holds');
    expect(judged({ tags: [7] }, '/tags/0', sent('invalid', 201), 'type')).toBe('holds');
    for (const other of [sent('invalid', 400), sent('sound', 201)])
      expect(judged(list, '/items/1/price', other)).toHaveLength(1);
    expect(judged(list, '/items/0/price', sent('invalid', 201))).toHaveLength(1);
    expect(judged({ cost: 'dear' }, '/cost', sent('invalid', 201))).toHaveLength(1);
    expect(judged(list, '/items/1/price', sent('invalid', 201), 'writeOnly')).toHaveLength(1);
  });

  it('leaves a wrong value to them from its being sent on, until it is refused', () => {
    const accepted = new AcceptedInput();
    const plan = { intent: 'hostile', body: { kind: 'json', value: { name: 'x'.repeat(1000) } } } as const;
    const exchange = exchangeWith({ status: 400, plan });
    accepted.sent(exchange.plan);
    expect(accepted.has('name', 'x'.repeat(1000))).toBe(true);
    accepted.observe(exchange);
    expect(accepted.has('name', 'x'.repeat(1000))).toBe(false);
  });

  it('remembers the outermost levels and every plain value of a body that is long at every level', () => {
    const accepted = new AcceptedInput();
    const levels = 20;
    const long = 'x'.repeat(10_000);
    const nested = Array.from({ length: levels }).reduce<object>((inner, _, at) => ({ [`m${levels - at}`]: inner }), {
      long,
    });
    const plan = { intent: 'hostile', body: { kind: 'json', value: nested } } as const;
    accepted.observe(exchangeWith({ status: 201, plan }));
    const at = (depth: number): unknown =>
      Array.from({ length: depth }).reduce<unknown>((value, _, level) => Object(value)[`m${level + 1}`], nested);
    expect(accepted.has('m1', at(1))).toBe(true);
    expect(accepted.has('m4', at(4))).toBe(true);
    expect(accepted.has('m20', at(20))).toBe(false);
    expect(accepted.has('long', long)).toBe(true);
  });

  it('reports one breach a keyword and place, and at most ten', () => {
    const body = { items: [{}, {}, {}], 0: { a: 1 } };
    const found = [finding('/items/0'), finding('/items/2'), finding('/items/2', 'required'), finding('/0/a')];
    expect(brief(sch01, declared({ body }, undefined, finds(...found)))).toEqual([
      '/items/* breaks "type" of its schema (/items/0)',
      '/items/* breaks "required" of its schema (/items/2)',
      '/0/a breaks "type" of its schema (/0/a)',
    ]);
    const many = Array.from({ length: 50 }, (_, index) => finding(`/p${index}`));
    expect(outcome(sch01, declared({ body: {} }, undefined, finds(...many)))).toHaveLength(10);
  });

  it('shortens long values', () => {
    const [breach] = outcome(
      sch01,
      declared({ body: { a: 'x'.repeat(5000) } }, undefined, finds(finding('/a'))),
    ) as never as { actual: string }[];
    expect(breach?.actual).toHaveLength(120);
  });

  it('is breached by a success that says JSON and is none', () => {
    expect(brief(sch01, declared({ body: '{"id":' }))).toEqual(['the body is not valid JSON']);
    expect(brief(sch01, declared({ body: '{"id":' }, [declaring('200', null)]))).toEqual([
      'the body is not valid JSON',
    ]);
  });

  it('is breached by JSON that is not in UTF-8, or not coded as it says', () => {
    const told = (garbled: 'charset' | 'coding') =>
      outcome(sch01, declared({ body: '{"id":1}', response: { garbled } }));
    expect(told('charset')).toMatchObject([{ actual: 'a body that is not in UTF-8' }]);
    expect(told('coding')).toMatchObject([{ actual: 'a body that is not coded as its Content-Encoding says' }]);
  });

  it('cannot tell of a stream of messages that is no JSON as a whole', () => {
    const messages = [declaring('200', { title: 'Stream result of WatchResponse', type: 'object' })];
    expect(outcome(sch01, declared({ body: '{"result":{}}\n{"result":{}}' }, messages))).toBe('cannot tell');
  });

  it('judges the items of a sequence by their schema, as many as came', async () => {
    const itemSchema = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] };
    const responses = { 200: { description: 'Done', content: { 'application/jsonl': { itemSchema } } } };
    const paths = { '/a': { get: { responses } } };
    const info = { title: 'Shop', version: '1' };
    const description = await loadFiles({ 'shop.json': { openapi: '3.2.0', info, paths } });
    const told = (body: string, truncated = false) =>
      brief(
        sch01,
        subjectOf(exchangeWith({ body, headers: [['content-type', 'application/jsonl']], response: { truncated } }), {
          operation: description.operations[0] as Operation,
          description,
        }),
      );
    expect(told('{"id":1}\n{"id":2}\n')).toBe('holds');
    expect(told('{"id":1}\n{"id', true)).toBe('holds');
    expect(told('{"id":1}\n{"id":"x"}\n{"id":"y"}\n')).toEqual(['/*/id breaks "type" of its schema (/1/id)']);
    expect(told('{"id":1}\nnot JSON\n')).toEqual(['the body is not valid JSON']);
  });

  it.each<[string, Changes, ReturnType<typeof declaring>[]]>([
    ['an undeclared status', { status: 201, body: {} }, [declaring('200', {})]],
    ['a response without content', { body: {} }, [declaring('200')]],
    ['another media type', { body: 'a,b', headers: [['content-type', 'text/csv']] }, [declaring('200', {})]],
    ['an empty body', {}, [declaring('200', {})]],
    ['HEAD', { body: {}, plan: { method: 'HEAD' } }, [declaring('200', {})]],
    ['a cut body', { body: {}, response: { truncated: true } }, [declaring('200', {})]],
    ['a failure', { response: null }, [declaring('200', {})]],
    ['the envelope on a success', { body: { error: errorObject() } }, [declaring('200', {})]],
    ['an error that is no JSON', { status: 404, body: '<p>' }, [declaring('404', {})]],
  ])('does not apply to %s', (_, changes, responses) => {
    expect(outcome(sch01, declared(changes, responses, finds(finding(''))))).toBe('does not apply');
  });

  it('does not apply to what no description describes or gives no schema', () => {
    expect(outcome(sch01, subjectOf(exchangeWith({ body: {} })))).toBe('does not apply');
    const media = { mediaType: 'application/json', schema: null, examples: [] };
    expect(outcome(sch01, declared({ body: {} }, [declaring('200', undefined, { content: [media] })]))).toBe(
      'does not apply',
    );
  });

  it('cannot tell when the schema does not compile', () => {
    expect(outcome(sch01, declared({ body: {} }, undefined, { validator: () => null }))).toBe('cannot tell');
  });

  it('counts ranges and default as declarations', () => {
    for (const status of ['2XX', 'default']) {
      expect(outcome(sch01, declared({ body: {} }, [declaring(status, {})], finds(finding(''))))).toHaveLength(1);
    }
  });

  describe('on errors', () => {
    const onError = (members: Record<string, unknown>, status: number, ...found: SchemaBreach[]) => {
      const exchange = errorExchange(validationError(members), {
        status,
        plan: { method: 'POST', body: { kind: 'json', value: {} } },
      });
      const operation = operationWith({ responses: [declaring('4XX', {})] });
      return brief(sch01, subjectOf(exchange, { operation, description: descriptionWith(finds(...found)) }));
    };

    it('reports what the schema adds to the envelope, without the value', () => {
      expect(onError({ hint: 'Jane Doe' }, 400, finding('/error/hint'))).toEqual([
        '/error/hint breaks "type" of its schema (/error/hint)',
      ]);
      const exchange = errorExchange(errorObject({ hint: 'Jane Doe' }));
      const subject = subjectOf(exchange, {
        operation: operationWith({ responses: [declaring('404', {})] }),
        description: descriptionWith(finds(finding('/error/hint'))),
      });
      expect(JSON.stringify(outcome(sch01, subject))).not.toContain('Jane');
    });

    it('leaves to ERR what ERR reports: the same place, within it, or around it', () => {
      expect(onError({ title: 5 }, 400, finding('/error/title'))).toBe('holds');
      expect(onError({ title: undefined }, 400, finding('/error', 'required'))).toBe('holds');
      expect(onError({ errors: [{ code: 1 }] }, 400, finding('/error/errors', 'items'))).toBe('holds');
      expect(onError({}, 404, finding('/error/status', 'enum'), finding('/error/hint'))).toEqual([
        '/error/hint breaks "type" of its schema (/error/hint)',
      ]);
    });
  });
});
