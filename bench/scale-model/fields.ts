// The members of which the scale model's records are made: a catalogue by name, each as a schema of the document's dialect.
// A name that ends in "Id" and is not here refers to a resource.
import type { JsonObject } from '../../src/platform/json.ts';
import type { Components, Describe } from './components.ts';
import { idSchema, nounOf } from './names.ts';

const HANDLE = '^[a-z0-9]+(-[a-z0-9]+)*$';
const COUNTRY = '^[A-Z]{2}$';
const DIGITS = '^[0-9]{6}$';

const FIELDS: Readonly<Record<string, Describe>> = {
  // Words
  name: text('Name as people see it.', 'Linen shirt', { minLength: 1, maxLength: 120 }),
  title: text('Title as shoppers see it.', 'Summer in linen', { minLength: 1, maxLength: 200 }),
  label: text('Short label for lists and menus.', 'Primary', { minLength: 1, maxLength: 60 }),
  subtitle: optional(text('One line below the title.', 'Made to last')),
  description: optional(text('Longer text, plain.', 'Woven in small batches.', { maxLength: 5000 })),
  body: text('Text in the limited markup that storefronts render.', '<p>Woven in small batches.</p>', {
    maxLength: 20_000,
  }),
  excerpt: optional(text('Shown where the whole text is too long.', 'Woven in small batches.', { maxLength: 500 })),
  note: optional(text('Seen by staff only.', 'Call before delivery', { maxLength: 1000 })),
  reason: text('Why it is done; kept in the history.', 'Requested by the customer', { minLength: 1, maxLength: 400 }),
  message: text('What is told to the recipient.', 'Your order is on its way', { minLength: 1, maxLength: 2000 }),
  subject: text('Subject of the message.', 'Your order', { minLength: 1, maxLength: 150 }),
  companyName: optional(text('Legal name of the company.', 'Juniper Trading')),
  displayName: text('Name shown to others.', 'Mara Lindqvist', { minLength: 1, maxLength: 80 }),
  firstName: text('Given name.', 'Mara', { minLength: 1, maxLength: 80 }),
  lastName: text('Family name.', 'Lindqvist', { minLength: 1, maxLength: 80 }),
  deviceName: text('Device as its owner calls it.', 'Workshop tablet', { maxLength: 100 }),
  prompt: text('What is asked of the model.', 'Describe a linen shirt in two sentences', {
    minLength: 1,
    maxLength: 8000,
  }),
  instructions: optional(text('Standing instructions.', 'Answer briefly', { maxLength: 8000 })),
  query: text('What is searched for.', 'linen shirt', { minLength: 1, maxLength: 400 }),
  // Codes
  handle: coded(HANDLE, 'Part of the address in the storefront.', 'linen-shirt'),
  sku: coded('^[A-Z0-9]{2,8}(-[A-Z0-9]{1,8}){0,3}$', 'Stock keeping unit.', 'LIN-SHIRT-M'),
  barcode: optional(coded('^[0-9]{8,14}$', 'GTIN of the article.', '4006381333931')),
  hsCode: optional(coded('^[0-9]{4}([.][0-9]{2}){0,3}$', 'Code of the Harmonized System.', '6205.20')),
  countryCode: coded(COUNTRY, 'Country, ISO 3166-1 alpha-2.', 'SE'),
  locale: coded('^[a-z]{2}(-[A-Z]{2})?$', 'Language, and region where it matters.', 'sv-SE'),
  color: coded('^#[0-9a-f]{6}$', 'Colour as the theme writes it.', '#2f4f4f'),
  phone: coded('^[+][1-9][0-9]{7,14}$', 'Phone number, E.164.', '+46701234567'),
  code: coded('^[A-Z0-9]{4,16}$', 'Code as it is typed in.', 'SUMMER25'),
  confirmationCode: coded(DIGITS, 'Code that was sent.', '123456'),
  taxNumber: optional(coded('^[A-Z]{2}[0-9A-Z]{8,12}$', 'Tax number of the company.', 'SE556677889901')),
  trackingNumber: optional(coded('^[A-Z0-9]{8,24}$', 'Number that the carrier knows.', 'JX0099887766')),
  number: coded('^[A-Z]{1,3}-[0-9]{4,8}$', 'Number that people quote.', 'OR-10042'),
  timeZone: text('Name in the IANA data base.', 'Europe/Stockholm', { minLength: 1, maxLength: 64 }),
  hostname: formatted('hostname', 'Host name.', 'shop.example.com'),
  // Formats
  email: formatted('email', 'Email address.', 'mara@example.com'),
  url: formatted('uri', 'Address, absolute.', 'https://example.com/linen'),
  callbackUrl: optional(formatted('uri', 'Called when it is done.', 'https://example.com/hooks')),
  publishedAt: optional(
    formatted('date-time', 'When it became visible; null while it is not.', '2025-03-01T09:00:00Z'),
  ),
  startsAt: formatted('date-time', 'From when on it holds.', '2025-03-01T09:00:00Z'),
  endsAt: optional(formatted('date-time', 'Until when it holds; null: without end.', '2025-09-01T09:00:00Z')),
  dueOn: optional(formatted('date', 'Day on which it is due.', '2025-04-15')),
  expiresAt: formatted('date-time', 'When it expires.', '2025-12-31T23:59:59Z'),
  correlationId: formatted('uuid', 'Ties records of one process together.', '6f9619ff-8b86-4011-b42d-00c04fc964ff'),
  externalId: optional(text('Id in the system that it was imported from.', 'legacy-4711')),
  ipAddress: optional(formatted('ipv4', 'Address that the request came from.', '192.0.2.44')),
  // Numbers
  position: whole('Place among its siblings, from 0.', 0, 10_000),
  quantity: whole('How many.', 0, 1_000_000),
  priority: whole('Higher goes first.', -100, 100),
  percentage: () => ({ type: 'number', minimum: 0, maximum: 100, description: 'Share in percent.' }),
  usageLimit: optional(whole('How often it may be used; null: without limit.', 1, 1_000_000)),
  leadTimeDays: whole('Days until it is available.', 0, 365),
  packSize: () => ({
    type: 'integer',
    minimum: 5,
    maximum: 1000,
    multipleOf: 5,
    description: 'Ordered in multiples of it.',
  }),
  weightGrams: measure('Weight in grams.'),
  ttlSeconds: whole('Lifetime in seconds.', 60, 86_400),
  score: () => ({ type: 'number', minimum: 0, maximum: 1, description: 'Between 0 and 1.' }),
  temperature: () => ({
    type: 'number',
    minimum: 0,
    maximum: 2,
    default: 1,
    description: 'How freely the model answers.',
  }),
  maxTokens: whole('Most tokens of the answer.', 1, 32_000),
  // Switches
  isActive: flag('Whether it takes effect.', true),
  isDefault: flag('Whether it is taken where none is chosen.'),
  isTaxable: flag('Whether tax is charged.', true),
  isVisible: flag('Whether shoppers see it.', true),
  requiresShipping: flag('Whether it is delivered.', true),
  notify: flag('Whether the people concerned are told.'),
  rememberMe: flag('Whether the session outlives the browser.'),
  stream: flag('Whether parts are wanted as they come.'),
  // Choices
  status: choice('Where it stands.', 'draft', 'active', 'paused', 'archived'),
  visibility: choice('Who sees it.', 'public', 'members', 'hidden'),
  channel: choice('Where it was made.', 'online', 'point_of_sale', 'marketplace', 'social', 'wholesale'),
  financialStatus: choice(
    'What has been paid.',
    'pending',
    'authorized',
    'paid',
    'partially_refunded',
    'refunded',
    'voided',
  ),
  fulfillmentStatus: choice('What has been sent.', 'unfulfilled', 'partial', 'fulfilled', 'returned'),
  interval: choice('How often.', 'day', 'week', 'month', 'quarter', 'year'),
  severity: choice('How much it matters.', 'info', 'warning', 'critical'),
  format: choice('File format.', 'csv', 'json', 'xlsx'),
  provider: choice('External identity provider.', 'google', 'apple', 'github', 'microsoft'),
  method: choice('Second factor.', 'totp', 'sms', 'email', 'passkey'),
  role: choice('What a member may do.', 'owner', 'admin', 'staff', 'support', 'accountant'),
  recordType: choice('Kind of record.', 'A', 'AAAA', 'CNAME', 'MX', 'TXT'),
  model: choice('Which model answers.', 'small', 'standard', 'large'),
  currency: choice('ISO 4217.', 'EUR', 'SEK', 'USD', 'GBP', 'JPY', 'CHF', 'NOK', 'DKK', 'PLN', 'CAD', 'AUD', 'NZD'),
  // Lists and maps
  tags: list(
    text('Free word.', 'summer', { minLength: 1, maxLength: 40 }),
    { uniqueItems: true, maxItems: 50 },
    'Free words, each once.',
  ),
  locales: list(
    coded('^[a-z]{2}(-[A-Z]{2})?$', 'Language.', 'sv'),
    { uniqueItems: true, minItems: 1, maxItems: 20 },
    'Languages offered.',
  ),
  countryCodes: list(
    coded(COUNTRY, 'Country.', 'SE'),
    { uniqueItems: true, maxItems: 100 },
    'Countries where it holds.',
  ),
  events: list(
    choice('Kind.', 'order.created', 'order.paid', 'product.updated', 'customer.created'),
    { uniqueItems: true, minItems: 1 },
    'What is listened to.',
  ),
  scopes: list(
    choice('Area.', 'orders', 'products', 'customers', 'content', 'settings'),
    { uniqueItems: true, minItems: 1 },
    'Areas that it opens.',
  ),
  recipients: list(
    formatted('email', 'Address.', 'mara@example.com'),
    { uniqueItems: true, minItems: 1, maxItems: 20 },
    'Who gets it.',
  ),
  embedding: list(() => ({ type: 'number' }), { minItems: 3, maxItems: 16 }, 'The vector.'),
  metadata: shared('MetadataDto', 'Names and values of your own.'),
  attributes: shared('AttributesDto', 'Typed values by name.'),
  translations: shared('TranslationsDto', 'Texts by language.'),
  // Secrets: sent, never shown
  password: ({ form }) =>
    form.example(
      {
        type: 'string',
        format: 'password',
        minLength: 10,
        maxLength: 128,
        writeOnly: true,
        description: 'The password.',
      },
      'correct horse battery',
    ),
  signingSecret: () => ({
    type: 'string',
    minLength: 16,
    maxLength: 128,
    writeOnly: true,
    description: 'Deliveries are signed with it.',
  }),
  // Issued by the service
  sessionToken: () => ({
    type: 'string',
    minLength: 20,
    maxLength: 400,
    readOnly: true,
    description: 'Opaque; belongs to one session.',
  }),
  challenge: () => ({
    type: 'string',
    minLength: 16,
    maxLength: 200,
    description: 'Opaque; to be sent back with the code.',
  }),
  recoveryCodes: list(
    coded('^[0-9a-f]{5}-[0-9a-f]{5}$', 'Used once.', '0a1b2-c3d4e'),
    { minItems: 2, maxItems: 10, uniqueItems: true },
    'Codes for the loss of the device.',
  ),
  createdAt: () => ({ type: 'string', format: 'date-time', readOnly: true, description: 'When it was made.' }),
  updatedAt: () => ({ type: 'string', format: 'date-time', readOnly: true, description: 'When it last changed.' }),
  version: () => ({ type: 'integer', minimum: 1, readOnly: true, description: 'Counts changes.' }),
  // Shared records
  price: shared('MoneyDto', 'Price of one.'),
  compareAtPrice: orNull('MoneyDto'),
  cost: shared('MoneyDto', 'What it costs the merchant.'),
  total: shared('MoneyDto', 'What is to be paid in all.'),
  amount: shared('MoneyDto', 'The amount.'),
  address: shared('AddressDto', 'Postal address.'),
  billingAddress: orNull('AddressDto'),
  contact: shared('ContactDto', 'Whom to turn to.'),
  image: orNull('ImageDto'),
  images: list(bare('ImageDto'), { maxItems: 250 }, 'Pictures, the first one first.'),
  seo: shared('SeoDto', 'How search engines see it.'),
  period: shared('PeriodDto', 'When it holds.'),
  schedule: shared('ScheduleDto', 'When it is open.'),
  dimensions: shared('DimensionsDto', 'Outer measures.'),
  audit: shared('AuditDto', 'Who did what last.'),
  owner: shared('UserReferenceDto', 'Who answers for it.'),
  assignee: orNull('UserReferenceDto'),
  category: shared('CategoryNodeDto', 'Where it stands in the tree of categories.'),
  menu: list(bare('MenuItemDto'), { maxItems: 100 }, 'Entries, each with entries of its own.'),
  thread: list(bare('ThreadEntryDto'), { maxItems: 200 }, 'Comments and their replies.'),
  content: list(bare('ContentBlockDto'), { maxItems: 100 }, 'Blocks from top to bottom.'),
  discount: shared('DiscountRuleDto', 'What is taken off.'),
  instrument: shared('PaymentInstrumentDto', 'What it is paid with.'),
  shippingRule: shared('ShippingRuleDto', 'What delivery costs.'),
  condition: shared('ConditionDto', 'When it applies.'),
  lines: list(bare('LineItemDto'), { minItems: 1, maxItems: 500 }, 'What was bought.'),
  taxLines: list(bare('TaxLineDto'), { maxItems: 20 }, 'Taxes in the total.'),
  messages: list(bare('ChatMessageDto'), { minItems: 1, maxItems: 100 }, 'The conversation so far.'),
  tools: list(bare('ToolDto'), { maxItems: 20 }, 'What the model may use.'),
  storeSettings: shared('StoreSettingsDto', 'All settings of the store.'),
  orderSnapshot: shared('OrderSnapshotDto', 'The order as it was.'),
  customerSnapshot: shared('CustomerSnapshotDto', 'The customer as of then.'),
  productSnapshot: shared('ProductSnapshotDto', 'The product as it was sold.'),
};

/** Members that the service itself sets. */
export const SET_BY_SERVICE: ReadonlySet<string> = new Set(['createdAt', 'updatedAt', 'version', 'sessionToken']);

/** Schema of the member. Throws for a name that the catalogue lacks. */
export function fieldSchema(name: string, components: Components): JsonObject {
  const maker = FIELDS[name];
  if (maker !== undefined) return maker(components);
  const noun = nounOf(name);
  if (noun === null) throw new Error(`the scale model has no member "${name}"`);
  return { ...idSchema(noun), description: `The ${noun} that is meant.` };
}

function text(description: string, example: string, rules: JsonObject = { maxLength: 255 }): Describe {
  return ({ form }) => form.example({ type: 'string', ...rules, description }, example);
}

function formatted(format: string, description: string, example: string): Describe {
  return ({ form }) => form.example({ type: 'string', format, description }, example);
}

function coded(pattern: string, description: string, example: string): Describe {
  return ({ form }) => form.example({ type: 'string', pattern, description }, example);
}

function whole(description: string, minimum: number, maximum: number): Describe {
  return () => ({ type: 'integer', minimum, maximum, description });
}

function measure(description: string): Describe {
  return ({ form }) => form.positive({ type: 'number', description });
}

function flag(description: string, standard = false): Describe {
  return () => ({ type: 'boolean', default: standard, description });
}

function choice(description: string, ...values: readonly string[]): Describe {
  return () => ({ type: 'string', enum: values, description });
}

function optional(maker: Describe): Describe {
  return (components) => components.form.nullable(maker(components));
}

function list(maker: Describe, rules: JsonObject, description: string): Describe {
  return (components) => ({ type: 'array', items: maker(components), ...rules, description });
}

function shared(name: string, description: string): Describe {
  return (components) => components.form.described(components.shared(name), description);
}

/** As items of lists, where a description of its own would say nothing. */
function bare(name: string): Describe {
  return (components) => components.shared(name);
}

function orNull(name: string): Describe {
  return (components) => components.form.nullable(components.shared(name));
}
