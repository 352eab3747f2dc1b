import { describe, expect, it } from 'vitest';
import { demandsOf } from './refusal-demands.ts';

const fits = (schema: Record<string, unknown>) => [{ names: [], demand: { kind: 'fits', schema } }];
const missing = (...names: string[]) => ({ names, demand: { kind: 'missing' } });
const unknown = (...names: string[]) => [{ names, demand: { kind: 'unknown' } }];

describe('the sentence of a refusal', () => {
  it.each([
    ["value is not a valid enumeration member; permitted: 'a', 'b'", ['a', 'b']],
    ["Input should be 'a', 'b' or 'c'", ['a', 'b', 'c']],
    ["Input should be 'a'", ['a']],
    ['must be one of a, b, c', ['a', 'b', 'c']],
    ['"kind" must be one of [a, b]', ['a', 'b']],
    ['kind must be one of the following values: a, b', ['a', 'b']],
    ['from String "x": not one of the values accepted for Enum class: [A, B]', ['A', 'B']],
    ["'x' is not one of ['a', 'b']", ['a', 'b']],
    ["Unsupported type 'x'. Supported types: a, b and c.", ['a', 'b', 'c']],
    ['must be one of 1, 2', ['1', 1, '2', 2]],
  ])('lists values: %s', (sentence, values) => {
    expect(demandsOf(sentence)).toEqual(fits({ enum: values }));
  });

  it.each([
    ["must have required property 'name'", [missing('name')]],
    ['missing field `name`', [missing('name')]],
    ["missing properties: 'name', 'kind'", [missing('name', 'kind')]],
    ["Field validation for 'Name' failed on the 'required' tag", [missing('Name')]],
    ["Required request parameter 'page' for method parameter type int is not present", [missing('page')]],
    ['The Name field is required.', [missing('Name'), missing()]],
    ['name should not be empty', [missing('name'), missing()]],
    ['Either name or uri must be set.', [missing('name')]],
    ['Either an `a_id` or a `b_id` must be set.', [missing('a_id')]],
    [
      'Either a cron expression, a start time and interval seconds or a run once start time need to be set',
      [missing('cron expression')],
    ],
    ['No ssh_config or nodes specified', [missing('ssh_config')]],
    ['No value provided', []],
    ['Field required', [missing()]],
    ['This field is required.', [missing()]],
    ['Missing data for required field.', [missing()]],
  ])('misses a member: %s', (sentence, demands) => {
    expect(demandsOf(sentence)).toEqual(demands);
  });

  it.each([
    ['json: unknown field "extra"', unknown('extra')],
    ['unknown field `extra`, expected one of `a`, `b`', unknown('extra')],
    ["Additional properties are not allowed ('extra' was unexpected)", unknown('extra')],
    ['property extra should not exist', unknown('extra')],
    ['Value error, Only one of artifact_name and artifact_id can be set.', unknown('artifact_id')],
    ["'a1' and 'b1' are mutually exclusive", unknown('b1')],
    ['Value error, `version_id` field is for internal use only', unknown('version_id')],
    ['Extra inputs are not permitted', unknown()],
  ])('does not know a member: %s', (sentence, demands) => {
    expect(demandsOf(sentence)).toEqual(demands);
  });

  it.each([
    ['Input should be greater than or equal to 1', { minimum: 1 }],
    ['Input should be greater than 1', { minimum: 2 }],
    ['Ensure this value is less than or equal to 100.', { maximum: 100 }],
    ['String should have at least 3 characters', { minLength: 3 }],
    ['must NOT have fewer than 2 items', { minItems: 2 }],
    ['must be between 3 and 63 characters', { minLength: 3, maxLength: 63 }],
    ["String should match pattern '^[a-z]+$'", { pattern: '^[a-z]+$' }],
    ['Input should be a valid integer, unable to parse string as an integer', { type: 'integer' }],
    ['Enter a valid URL.', { format: 'uri' }],
    ['Invalid cron expression', { enum: ['0 0 * * *'] }],
  ])('bounds a value: %s', (sentence, schema) => {
    expect(demandsOf(sentence)).toEqual(fits(schema));
  });

  it.each([
    'Not found',
    'Invalid credentials',
    'it exists already',
    '"x" is not a valid choice.',
    'Expecting value: line 1',
    'One of the start times has to be a time',
  ])('demands nothing that can be told: %s', (sentence) => {
    expect(demandsOf(sentence)).toEqual([]);
  });
});
