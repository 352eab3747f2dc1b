// Small values that many records share: money, places, people, maps, and the error envelope.
import type { JsonObject } from '../platform/json.ts';
import type { Describe } from './components.ts';
import { extended, object, record } from './record.ts';

const text: JsonObject = { type: 'string', maxLength: 255 };
const amount: JsonObject = { type: 'integer', minimum: 0, maximum: 999_999_999 };

export const SHARED_VALUES: Readonly<Record<string, Describe>> = {
  MoneyDto: ({ form }) =>
    object(
      {
        amount: form.example({ ...amount, description: 'In the smallest unit of the currency.' }, 4995),
        currency: { type: 'string', enum: ['EUR', 'SEK', 'USD', 'GBP', 'JPY', 'CHF', 'NOK', 'DKK', 'PLN', 'CAD'] },
        formatted: { type: 'string', readOnly: true, description: 'As people of the store’s language write it.' },
      },
      ['amount', 'currency'],
    ),
  GeoPointDto: ({ form }) =>
    form.dialect === '3.1'
      ? object({
          coordinates: {
            type: 'array',
            prefixItems: [
              { type: 'number', minimum: -180, maximum: 180 },
              { type: 'number', minimum: -90, maximum: 90 },
            ],
            items: false,
            minItems: 2,
          },
        })
      : object({
          longitude: { type: 'number', minimum: -180, maximum: 180 },
          latitude: { type: 'number', minimum: -90, maximum: 90 },
        }),
  AddressDto: (components) =>
    object(
      {
        line1: components.form.example({ ...text, minLength: 1 }, 'Sveavägen 1'),
        line2: components.form.nullable(text),
        city: { ...text, minLength: 1 },
        region: components.form.nullable(text),
        postalCode: { type: 'string', pattern: '^[0-9A-Z]{3,8}$' },
        countryCode: components.form.example({ type: 'string', pattern: '^[A-Z]{2}$' }, 'SE'),
        location: components.form.nullable(components.shared('GeoPointDto')),
      },
      ['line1', 'city', 'countryCode'],
    ),
  ContactDto: (components) => record('displayName! email phone locale', components),
  ImageVariantDto: (components) =>
    extended(components, 'url!', { width: { ...amount, minimum: 1 }, height: { ...amount, minimum: 1 } }),
  ImageDto: (components) =>
    extended(components, 'url! label position', {
      alt: components.form.nullable(text),
      variants: {
        type: 'object',
        additionalProperties: components.shared('ImageVariantDto'),
        description: 'By name of the size.',
      },
    }),
  SeoDto: (components) => record('title excerpt handle tags', components),
  PeriodDto: (components) => record('startsAt! endsAt timeZone', components),
  OpeningDto: () =>
    object({
      day: { type: 'string', enum: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] },
      from: { type: 'string', pattern: '^[0-2][0-9]:[0-5][0-9]$' },
      to: { type: 'string', pattern: '^[0-2][0-9]:[0-5][0-9]$' },
    }),
  ScheduleDto: (components) =>
    extended(components, 'timeZone!', {
      openings: { type: 'array', items: components.shared('OpeningDto'), maxItems: 50 },
    }),
  DimensionsDto: ({ form }) =>
    object(
      {
        length: form.positive({ type: 'number' }),
        width: form.positive({ type: 'number' }),
        height: form.positive({ type: 'number' }),
        unit: { type: 'string', enum: ['mm', 'cm', 'in'], default: 'mm' },
      },
      ['length', 'width', 'height'],
    ),
  UserReferenceDto: (components) => record('userId! displayName! role', components),
  AuditDto: (components) =>
    object(
      {
        createdBy: components.shared('UserReferenceDto'),
        updatedBy: components.form.nullable(components.shared('UserReferenceDto')),
        reason: components.form.nullable(text),
      },
      ['createdBy'],
    ),
  BaseRecordDto: (components) => record('createdAt! updatedAt! version externalId', components),
  MetadataDto: ({ form }) => ({
    type: 'object',
    ...(form.dialect === '3.1' ? { propertyNames: { pattern: '^[a-z][a-z0-9_]*$' } } : {}),
    additionalProperties: { type: 'string', maxLength: 500 },
    maxProperties: 50,
  }),
  AttributesDto: (components) => ({
    type: 'object',
    additionalProperties: components.shared('FieldValueDto'),
    maxProperties: 100,
  }),
  TranslationDto: (components) => record('title description seo', components),
  TranslationsDto: (components) => ({
    type: 'object',
    additionalProperties: components.shared('TranslationDto'),
    maxProperties: 40,
  }),
  TaxLineDto: (components) => record('title! percentage! amount! countryCode', components),
  ActionResultDto: () => object({ success: { type: 'boolean' }, message: text, affected: amount }, ['success']),
  ErrorEnvelopeDto: (components) => ({
    ...object({ error: components.shared('ErrorDto') }),
    additionalProperties: false,
  }),
  ErrorDto: (components) =>
    object(
      {
        type: { type: 'string', description: 'Category; others than the listed ones exist.' },
        code: {
          type: 'string',
          pattern: '^[a-z][a-z0-9_]*$',
          description: 'Stable machine code; clients switch on it.',
        },
        title: { type: 'string' },
        message: { type: 'string', description: 'May hold personal data: not to be logged.' },
        status: { type: 'integer' },
        param: { type: 'string', description: 'Top-level field that offended; of validation errors.' },
        errors: { type: 'array', items: components.shared('FieldErrorDto') },
        doc_url: { type: 'string' },
        request_id: { type: 'string' },
        instance: { type: 'string' },
        timestamp: { type: 'string', format: 'date-time' },
      },
      ['type', 'code', 'title', 'message', 'status', 'doc_url', 'request_id', 'instance', 'timestamp'],
    ),
  FieldErrorDto: () => object({ field: { type: 'string' }, code: { type: 'string' }, message: { type: 'string' } }),
};
