// What tangles whole exports: trees, unions with a discriminator whose branches inherit, and large records that hold all
// of them.
import type { JsonObject } from '../platform/json.ts';
import type { Describe } from './components.ts';
import { extended, object, record } from './record.ts';

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

export const SHARED_STRUCTURES: Readonly<Record<string, Describe>> = {
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
