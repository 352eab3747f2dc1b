import { describe, expect, it } from 'vitest';
import { blankErrorMessages, redactErrorMessages, redactQuoted } from './error-messages.ts';

describe('redactErrorMessages', () => {
  it('replaces the messages of an error, its fields too, and nothing else', () => {
    const body =
      '{ "error": {"message": "ann@example.com \\"x\\"", "code": "a", "errors": [{"field":"f","message":"Ann"}] } }';
    expect(redactErrorMessages(body)).toBe(
      '{ "error": {"message": "[redacted message, 19 characters]", "code": "a", "errors": [{"field":"f","message":"[redacted message, 3 characters]"}] } }',
    );
  });

  it('leaves a body that is no error alone', () => {
    for (const body of [
      '{"message":"hello"}',
      '[{"message":"hello","error":null}]',
      '{"error":null,"message":"x"}',
      '{"errors":0,"message":"x"}',
      '{"name":"message","error":{"code":"message"}}',
      '{"a":"\\"message\\":\\"error\\"","message":"hello"}',
      'a message: hello',
      '',
    ]) {
      expect(redactErrorMessages(body)).toBe(body);
    }
  });

  it.each([
    '{"error":{"m\\u0065ssage":"Ann"}}',
    '{"\\u0065rror":{"message":"Ann"}}',
    '{"error":{"Message":"Ann"}}',
    '{"error":{"MESSAGE" :\n "Ann"}}',
    '{"error":{"message":"x","message":"Ann"}}',
    '{"error":{"message":"Ann"},"error":null}',
    '{"error":{"code":"a"},"message":"Ann"}',
    '{"message":"Ann","error":{"code":"a"}}',
    '{"error":"Not Found","message":"Ann"}',
    '{"data":{"error":{"inner":[{"message":"Ann"}]}}}',
    '[{"error":{"message":"Ann"}}]',
    '{"errors":[{"message":"Ann"}]}',
    '{"error":{"message":{"to":"Ann"},"code":"a"}}',
    '{"error":{"errors":[{"message":["Ann"]}]}}',
    '{"error":{"message":["]","Ann"]}}',
    '\ufeff{"error":{"message":"Ann"}}',
  ])('finds the message in %s', (body) => {
    expect(redactErrorMessages(body)).not.toContain('Ann');
    expect(redactErrorMessages(body)).toContain('[redacted message, ');
  });

  it.each([
    `{"error":{'x',"message":"Ann"}}`,
    '{"error":{"message":"Ann',
    '{"error":{"message":{"to":["Ann',
    '{"error":{"m\\u0065ssage":"Ann',
    "{'error':{'message':'Ann'}}",
    '{error:{message:"Ann"}}',
    'data: {"error":{"message":"Ann"}}\n\n',
    'callback({"error":{"message":"Ann"}})',
    '{"error":{"message":"x"}}{"error":{"message":"Ann"}}',
    '{"error":{"message":Ann}}',
    'error: message=Ann',
  ])('finds the message in what is no JSON: %s', (body) => {
    expect(redactErrorMessages(body)).not.toContain('Ann');
  });

  it('keeps a body that is JSON so', () => {
    const body = '{"error":{"message":5,"errors":[{"message":{"a":[]}},{"message":null}]},"message":true}';
    expect(JSON.parse(redactErrorMessages(body))).toEqual({
      error: {
        message: '[redacted message, 1 characters]',
        errors: [{ message: '[redacted message, 8 characters]' }, { message: null }],
      },
      message: '[redacted message, 4 characters]',
    });
  });

  it('says how long the cut message was', () => {
    expect(redactErrorMessages('{"error":{"message":"ann@example.com is')).toBe(
      '{"error":{"message":"[redacted message, 18 characters]"',
    );
  });

  it('reads what is nested without end', () => {
    const deep = `{"error":${'{"a":'.repeat(100_000)}{"message":"Ann"}${'}'.repeat(100_000)}}`;
    expect(redactErrorMessages(deep)).not.toContain('Ann');
    const message = `{"error":{"message":${'['.repeat(100_000)}"Ann"${']'.repeat(100_000)}}}`;
    expect(redactErrorMessages(message)).toBe('{"error":{"message":"[redacted message, 200005 characters]"}}');
  });
});

describe('blankErrorMessages', () => {
  it('keeps the length of texts and the kinds of other values', () => {
    const body =
      '{"error":{"message":"Ann \\u00e9","errors":[{"message":["Ann"]},{"message":{"a":"Ann"}},{"message":5}]}}';
    expect(blankErrorMessages(body)).toBe(
      '{"error":{"message":"*****","errors":[{"message":[]},{"message":{}},{"message":5}]}}',
    );
  });
});

describe('redactQuoted', () => {
  it('takes out what is quoted of a message, however its name is spelled', () => {
    const body = '{"error":{"m\\u0065ssage":"Ann is not here","code":"a"}}';
    expect(redactQuoted('it says "Ann is not here"', body)).toBe('it says "[redacted message, 15 characters]"');
    expect(redactQuoted('it says hello', '{"message":"hello"}')).toBe('it says hello');
  });
});
