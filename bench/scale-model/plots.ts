// The resources of the scale model's services: of Admin the documented operations, the authentication families, and
// resources grown to the stated size around them; of Store 114 resources of a shop, and of AI ten, none of whose operations
// is shown by the source.
import type { JsonObject } from '../../src/platform/json.ts';
import { AUTHENTICATION } from './admin-authentication.ts';
import { kebab } from './names.ts';
import type { Row } from './rows.ts';
import type { ThemeName } from './themes.ts';

/** A resource: operations that are written out, and what grows beside them until the service has its size. */
export interface Plot {
  readonly tag: string;
  readonly rows: readonly Row[];
  /** Path below /api/v1 of what grows; null: nothing does. */
  readonly path: string | null;
  readonly theme: ThemeName;
  /** Its share of what is to grow. */
  readonly weight: number;
}

const IDEMPOTENT: readonly JsonObject[] = [
  {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'The same key on a retry returns the original response.',
    schema: { type: 'string', maxLength: 255 },
  },
];
const SLICED = paging('limit', 'string', 'offset', 'string');
const PAGED = paging('limit', 'number', 'page', 'number');
const LIMITED = paging('limit', 'number');

function paging(...pairs: readonly string[]): readonly JsonObject[] {
  const names = pairs.filter((_, at) => at % 2 === 0);
  return names.map((name, at) => ({ name, in: 'query', required: false, schema: { type: pairs[2 * at + 1] } }));
}

const PAGE: JsonObject = {
  type: 'object',
  required: ['data', 'total', 'page', 'limit', 'total_pages'],
  properties: {
    data: { type: 'array', items: { $ref: '#/components/schemas/ActivityDto' } },
    total: { type: 'integer', minimum: 0 },
    page: { type: 'integer', minimum: 1 },
    limit: { type: 'integer', minimum: 1 },
    total_pages: { type: 'integer', minimum: 0 },
  },
};

function plot(tag: string, path: string | null, theme: ThemeName, weight: number, rows: readonly Row[] = []): Plot {
  return { tag, path, theme, weight, rows };
}

const OF_STORE = '/stores/{storeId}';

export const ADMIN: readonly Plot[] = [
  ...Object.entries(AUTHENTICATION).map(([tag, rows]) => plot(tag, null, 'account', 0, rows)),
  plot('Stores', '/stores', 'account', 3, [
    ['get /stores', 'List of stores', '', 'Store[]'],
    [
      'post /stores',
      'Create a store',
      'name! currency! handle locale countryCode',
      'Store',
      { kind: 'create', parameters: IDEMPOTENT },
    ],
  ]),
  plot('Billing', '/billing/charges', 'sales', 2, [
    [
      'post /stores/process-payment',
      'Process a payment; never executed twice for one key',
      'amount! instrument! storeId note',
      'PaymentResult: paymentId! status! amount! createdAt!',
      { parameters: IDEMPOTENT },
    ],
  ]),
  plot('Invoices', '/billing/invoices', 'sales', 2),
  plot('Payment Methods', '/billing/payment-methods', 'account', 2),
  plot('Plans', '/billing/plans', 'account', 2),
  plot('Domains', `${OF_STORE}/domains`, 'account', 2, [
    [
      `get ${OF_STORE}/domains/connect/callback`,
      'Comes back from the registrar and goes on to the settings of the domain',
      '',
      '',
      {
        declares: { 302: 'Redirect to domain settings page' },
        answer: null,
        headers: { Location: { required: true, schema: { type: 'string', format: 'uri-reference' } } },
      },
    ],
  ]),
  plot('Domain Notifications', null, 'operations', 0, [
    [
      `get ${OF_STORE}/domains/notifications`,
      'Notifications of the domains of a store',
      '',
      'DomainNotification[]: domainNotificationId! message! severity! isActive hostname createdAt!',
      { parameters: SLICED },
    ],
    [`get ${OF_STORE}/domains/notifications/{domainNotificationId}`, 'Read one notification', '', 'DomainNotification'],
    [`post ${OF_STORE}/domains/notifications/{domainNotificationId}/read`, 'Mark it as read', '', 'DomainNotification'],
  ]),
  plot('DNS Records', `${OF_STORE}/domains/{domainId}/dns-records`, 'operations', 2),
  plot('Email Forwards', `${OF_STORE}/email-forwards`, 'operations', 2, [
    [
      `get ${OF_STORE}/email-forwards/{forwardId}/logs`,
      'Logs of an email forward',
      '',
      'EmailForwardLog[]: emailForwardLogId! email! subject status createdAt!',
      { parameters: SLICED },
    ],
    [
      `get ${OF_STORE}/email-forwards/{forwardId}/bounces`,
      'What could not be delivered',
      '',
      'EmailForwardLog[]',
      { parameters: SLICED },
    ],
  ]),
  plot('Taxes', '/taxes/rates', 'operations', 2, [
    [
      'get /taxes/currencies',
      'Currencies',
      '',
      'Currency[]: currencyId! currency! name! position',
      { parameters: PAGED },
    ],
    [
      'get /taxes/hs-codes',
      'Codes of the Harmonized System',
      '',
      'HsCode[]: hsCodeId! hsCode description',
      { parameters: LIMITED },
    ],
    [
      'get /taxes/rates/sync-history',
      'History of tax rate synchronisation',
      '',
      'TaxRateSync[]: taxRateSyncId! status! quantity createdAt!',
      { parameters: LIMITED },
    ],
  ]),
  plot('Themes', '/themes', 'design', 2, [['get /themes', 'Themes', '', 'Theme[]', { parameters: PAGED }]]),
  plot('Account Activity Logs', null, 'operations', 0, [
    [
      'get /auth/activity/logs',
      'Account activity log, paged',
      '',
      'Activity: activityId! message! severity ipAddress deviceName createdAt!',
      { kind: 'list', answer: PAGE, parameters: PAGED },
    ],
    ['get /auth/activity/summary', 'Figures over the activity', '', 'period! quantity! countryCodes'],
  ]),
  plot('Activity Export Requests', null, 'operations', 0, [
    [
      'post /auth/activity/export',
      "Request an export of the account's activity",
      'format period exportRequestId',
      'ActivityExport: exportRequestId! status! format url expiresAt createdAt!',
      { declares: { 404: 'Export request not found', 429: 'Too many export requests' } },
    ],
    ['get /auth/activity/exports', 'List the export requests', '', 'ActivityExport[]'],
    ['get /auth/activity/exports/{exportRequestId}', 'Read an export request', '', 'ActivityExport'],
  ]),
  plot('Users', '/users', 'customers', 2),
  plot('Team Members', `${OF_STORE}/team-members`, 'account', 2),
  plot('Notifications', '/notifications', 'operations', 2, [
    [
      `get ${OF_STORE}/notifications`,
      'Notifications of a store',
      '',
      'StoreNotification[]: storeNotificationId! message! severity createdAt!',
      { parameters: SLICED },
    ],
  ]),
  plot('Notification Templates', '/notification-templates', 'content', 2),
  plot('Analytics', '/analytics/reports', 'operations', 2, [
    ['get /analytics/overview', 'Figures over all stores', '', 'period! total! quantity! percentage'],
    [`get ${OF_STORE}/analytics/sales`, 'Sales of a store', '', 'period! total! quantity! percentage'],
    [`get ${OF_STORE}/analytics/traffic`, 'Visits of a store', '', 'period! quantity! percentage countryCodes'],
  ]),
  plot('Webhooks', '/webhooks', 'operations', 2),
  plot('Health', null, 'operations', 0, [
    ['get /api/health/live', 'Infrastructure liveness check', '', 'Health: status!', { isPublic: true }],
    [
      'get /health/ready',
      'Readiness of what the service depends on',
      '',
      'Health',
      { isPublic: true, declares: { 503: 'Service is not ready' } },
    ],
  ]),
];

/** By field of commerce; the first ones of each are the larger ones. "A < B": A stands below one of B. */
const RESOURCES: Readonly<Partial<Record<ThemeName, readonly string[]>>> = {
  catalog: [
    ...['Products', 'Product Variants < products', 'Collections', 'Categories', 'Product Options < products'],
    ...['Product Images < products', 'Product Reviews < products', 'Product Bundles', 'Smart Collections', 'Brands'],
    ...[
      'Vendors',
      'Attribute Sets',
      'Attribute Groups',
      'Price Lists',
      'Size Guides',
      'Barcodes',
      'Product Imports',
      'Product Labels',
    ],
  ],
  sales: [
    ...[
      'Orders',
      'Draft Orders',
      'Returns',
      'Refunds',
      'Invoices',
      'Subscriptions',
      'Exchanges',
      'Quotes',
      'Order Edits < orders',
    ],
    ...[
      'Order Risks < orders',
      'Subscription Plans',
      'Preorders',
      'Abandoned Carts',
      'Order Labels',
      'Order Imports',
      'Sales Terminals',
    ],
  ],
  customers: [
    ...['Customers', 'Customer Groups', 'Customer Segments', 'Companies', 'Customer Addresses < customers'],
    ...[
      'Customer Notes < customers',
      'Company Locations < companies',
      'Loyalty Programs',
      'Loyalty Rewards',
      'Store Credits',
    ],
    ...['Wishlists', 'Customer Imports'],
  ],
  inventory: [
    ...[
      'Inventory Items',
      'Inventory Levels < inventory-items',
      'Locations',
      'Stock Transfers',
      'Purchase Orders',
      'Warehouses',
    ],
    ...['Inventory Adjustments', 'Stock Counts', 'Suppliers', 'Goods Receipts', 'Lots', 'Serial Numbers'],
  ],
  checkout: [
    ...[
      'Carts',
      'Checkouts',
      'Payment Sessions',
      'Gift Cards',
      'Payment Gateways',
      'Payment Captures',
      'Checkout Fields',
    ],
    ...['Checkout Profiles', 'Gratuities', 'Tax Overrides'],
  ],
  shipping: [
    ...['Fulfillments', 'Shipments', 'Shipping Zones', 'Fulfillment Orders', 'Shipping Rates < shipping-zones'],
    ...['Shipping Profiles', 'Carriers', 'Parcels', 'Pickup Points', 'Delivery Slots'],
  ],
  marketing: [
    ...[
      'Discounts',
      'Discount Codes < discounts',
      'Campaigns',
      'Automatic Discounts',
      'Email Templates',
      'Newsletters',
    ],
    ...['Banners', 'Popups', 'Affiliates', 'Referrals', 'Upsells', 'Social Feeds'],
  ],
  content: [
    ...['Pages', 'Blogs', 'Articles < blogs', 'Menus', 'Files', 'Comments', 'Media Folders', 'Redirects', 'Forms'],
    ...['Form Submissions < forms', 'Glossaries', 'Metaobjects'],
  ],
  design: [
    'Storefront Themes',
    'Theme Assets < storefront-themes',
    'Theme Sections < storefront-themes',
    'Fonts',
    'Theme Palettes',
    'Theme Drafts',
  ],
  operations: ['Automations', 'Reports', 'Staff Tasks', 'Event Logs', 'Webhook Deliveries', 'Dashboards'],
};

const LARGER = 3;

export const STORE: readonly Plot[] = Object.entries(RESOURCES).flatMap(([theme, names]) =>
  names.map((name, at) => {
    const [tag = '', parent] = name.split(' < ');
    const path = parent === undefined ? `/${kebab(tag)}` : `/${parent}/{parent}/${kebab(tag)}`;
    return { tag, path, theme: theme as ThemeName, weight: at < LARGER ? 2 : 1, rows: [] };
  }),
);

export const AI: readonly Plot[] = [
  assistant('Chat', '/ai/conversations', [
    [
      'post /ai/chat/completions',
      'Answer a conversation',
      'model! messages! tools temperature maxTokens stream',
      'Completion: completionId! model! messages! createdAt!',
    ],
  ]),
  assistant('RAG', '/ai/knowledge-bases', [
    [
      'post /ai/rag/query',
      'Answer from the knowledge bases',
      'query! model knowledgeBaseId maxTokens',
      'RagAnswer: message! messages score',
    ],
  ]),
  assistant('Documents', '/ai/documents'),
  assistant('Embeddings', '/ai/embedding-jobs', [
    ['post /ai/embeddings', 'Turn a text into a vector', 'prompt! model', 'Embedding: embedding! model!'],
  ]),
  assistant('Image Generation', '/ai/images', [
    [
      'post /ai/images/generate',
      'Draw from a description',
      'prompt! quantity dimensions',
      'GeneratedImage: imageId! image createdAt!',
    ],
  ]),
  assistant('Semantic Search', '/ai/search-indexes', [
    ['post /ai/search', 'Search by meaning', 'query! locale tags', 'SearchHits: productSnapshot score'],
  ]),
  assistant('Agents', '/ai/agents'),
  assistant('Agent Runs', '/ai/agent-runs'),
  assistant('Prompts', '/ai/prompts'),
  assistant('Usage', '/ai/usage-records'),
];

function assistant(tag: string, path: string, rows: readonly Row[] = []): Plot {
  return plot(tag, path, 'assistant', 1, rows);
}
