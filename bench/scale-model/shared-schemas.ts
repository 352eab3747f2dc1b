// The schemas that many records share. Small values: money, places, people, maps, and the error envelope. And what tangles
// whole exports: trees, unions with a discriminator whose branches inherit, and large records that hold all of them.
import type { JsonObject } from '../../src/platform/json.ts';
import type { Describe } from './components.ts';
import { extended, object, record } from './record.ts';

const text: JsonObject = { type: 'string', maxLength: 255 };
const amount: JsonObject = { type: 'integer', minimum: 0, maximum: 999_999_999 };

export const SHARED_SCHEMAS: Readonly<Record<string, Describe>> = {
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
  CategoryNodeDto: (components) =>
    extended(components, 'name! handle! position', {
      parent: components.form.nullable(components.shared('CategoryNodeDto')),
      children: {
        type: 'array',
        items: components.shared('CategoryNodeDto'),
        maxItems: 100,
        description: 'Categories below this one.',
      },
    }),
  MenuItemDto: (components) =>
    extended(components, 'label! url!', {
      items: { type: 'array', items: components.shared('MenuItemDto'), maxItems: 50 },
    }),
  ThreadEntryDto: (components) =>
    extended(components, 'message! displayName!', {
      replies: { type: 'array', items: components.shared('ThreadEntryDto'), maxItems: 50 },
    }),
  LineItemDto: (components) =>
    extended(components, 'productId! sku! title! quantity! price! discount taxLines metadata requiresShipping', {
      bundle: {
        type: 'array',
        items: components.shared('LineItemDto'),
        maxItems: 20,
        description: 'Parts of a bundle.',
      },
    }),
  ConditionDto: (components) =>
    object(
      {
        field: { type: 'string', enum: ['total', 'quantity', 'country', 'tag', 'customer', 'channel'] },
        operator: { type: 'string', enum: ['equals', 'not_equals', 'above', 'below', 'contains'] },
        value:
          components.form.dialect === '3.1'
            ? { type: ['string', 'number', 'boolean'] }
            : { oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] },
        all: { type: 'array', items: components.shared('ConditionDto'), maxItems: 20 },
        any: { type: 'array', items: components.shared('ConditionDto'), maxItems: 20 },
      },
      ['field', 'operator', 'value'],
    ),
  ChatMessageDto: (components) =>
    extended(
      components,
      'message!',
      {
        role: { type: 'string', enum: ['system', 'user', 'assistant', 'tool'] },
        citations: { type: 'array', items: { type: 'string', format: 'uri' }, maxItems: 20, uniqueItems: true },
      },
      ['role'],
    ),
  ToolDto: (components) =>
    extended(components, 'name! description', {
      parameters: { type: 'object', additionalProperties: true, description: 'JSON Schema of the arguments.' },
    }),
  BlockBaseDto: (components) => record('label isVisible color', components),
  ContentBlockDto: (components) =>
    union(
      'kind',
      'BlockBaseDto',
      { heading: 'title!', text: 'body!', picture: 'image url', product: 'productId! price', columns: 'content!' },
      'ContentBlock',
    )(components),
  RuleBaseDto: (components) => record('label priority isActive', components),
  DiscountRuleDto: (components) =>
    union(
      'kind',
      'RuleBaseDto',
      {
        percentage: 'percentage!',
        fixed: 'amount!',
        buyXGetY: 'quantity! productId!',
        shipping: 'countryCodes',
        tiered: 'condition! percentage!',
      },
      'DiscountRule',
    )(components),
  PaymentInstrumentDto: (components) =>
    union(
      'type',
      'RuleBaseDto',
      {
        card: 'displayName! expiresAt!',
        bankTransfer: 'companyName number!',
        wallet: 'provider! email',
        giftCard: 'code!',
        invoice: 'billingAddress dueOn',
      },
      'PaymentInstrument',
    )(components),
  ShippingRuleDto: (components) =>
    union(
      'basis',
      'RuleBaseDto',
      { flat: 'amount!', weight: 'weightGrams! amount!', price: 'price! amount!', pickup: 'address! schedule' },
      'ShippingRule',
    )(components),
  FieldValueDto: (components) =>
    union(
      'type',
      'RuleBaseDto',
      { word: 'name!', number: 'quantity!', colour: 'color!', link: 'url!', money: 'amount!' },
      'FieldValue',
    )(components),
  StoreSettingsDto: (components) =>
    record(
      'name! handle! description email! phone address! billingAddress currency! locale! locales countryCode! countryCodes timeZone! taxNumber companyName color image seo schedule contact isActive isTaxable visibility menu shippingRule discount condition metadata attributes translations audit',
      components,
    ),
  OrderSnapshotDto: (components) =>
    record(
      'number! email! phone channel! financialStatus! fulfillmentStatus! currency! total! lines! taxLines address! billingAddress instrument discount shippingRule note tags metadata ipAddress customerSnapshot locale dueOn trackingNumber audit createdAt!',
      components,
    ),
  CustomerSnapshotDto: (components) =>
    record(
      'firstName! lastName! email! phone companyName taxNumber address billingAddress locale tags note metadata isActive total createdAt!',
      components,
    ),
  ProductSnapshotDto: (components) =>
    record(
      'title! subtitle handle! description body sku! barcode hsCode price! compareAtPrice cost images category seo dimensions weightGrams packSize leadTimeDays isTaxable requiresShipping status! visibility tags attributes translations metadata publishedAt createdAt!',
      components,
    ),
};

/** Several records told apart by one member; each inherits what all have. */
function union(tag: string, base: string, branches: Readonly<Record<string, string>>, prefix: string): Describe {
  return (components) => {
    const references = Object.entries(branches).map(([value, members]) => {
      const own = record(members, components);
      const describe = (): JsonObject => ({
        allOf: [
          components.shared(base),
          {
            ...own,
            required: [tag, ...((own.required as string[] | undefined) ?? [])],
            properties: { [tag]: components.form.only(value), ...(own.properties as JsonObject) },
          },
        ],
      });
      const name = `${prefix}${value.charAt(0).toUpperCase()}${value.slice(1)}Dto`;
      return [value, components.reference(name, describe)] as const;
    });
    return {
      oneOf: references.map(([, reference]) => reference),
      discriminator: {
        propertyName: tag,
        mapping: Object.fromEntries(references.map(([value, { $ref }]) => [value, $ref])),
      },
    };
  };
}
