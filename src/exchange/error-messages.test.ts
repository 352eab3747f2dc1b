import { describe, expect, it } from 'vitest';
import { redactErrorMessages } from './error-messages.ts';

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
      '',
    ]) {
      expect(redactErrorMessages(body)).toBe(body);
    }
  });

  it('works on cut and malformed JSON', () => {
    expect(redactErrorMessages('{"error":{"message":"ann@example.com is')).toBe(
      '{"error":{"message":"[redacted message, 18 characters]"',
    );
    expect(redactErrorMessages(`{"error":{'x',"message":"Ann"}}`)).not.toContain('Ann');
  });

  it('works on bodies nested without end', () => {
    const nested = (member: string): string =>
      `{"error":{"a":${'{"a":'.repeat(50_000)}{${member}}${'}'.repeat(50_000)}}}`;
    expect(redactErrorMessages(nested('"message":"Ann"'))).toContain('[redacted message, 3 characters]');
    expect(redactErrorMessages(nested('"message":{"to":"Ann"}'))).toMatch(/^\[redacted body .* \d+ characters\]$/);
    expect(redactErrorMessages(nested('"code":"a"'))).toBe(nested('"code":"a"'));
  });

  it('works on messages that are no strings', () => {
    expect(redactErrorMessages('{"error":{"message":{"to":"Ann"},"code":"a"}}')).not.toContain('Ann');
    expect(redactErrorMessages('{"error":{"errors":[{"message":["Ann"]}]}}')).not.toContain('Ann');
  });
});
