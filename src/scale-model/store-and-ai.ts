// The Store service of the scale model with its 114 resources of a shop, and the AI service with ten. None of their
// operations is shown by the source.
import type { Plot } from './admin.ts';
import { kebab } from './names.ts';
import type { Row } from './rows.ts';
import type { ThemeName } from './themes.ts';

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

function plot(tag: string, path: string, rows: readonly Row[] = []): Plot {
  return { tag, path, theme: 'assistant', weight: 1, rows };
}

export const AI: readonly Plot[] = [
  plot('Chat', '/ai/conversations', [
    [
      'post /ai/chat/completions',
      'Answer a conversation',
      'model! messages! tools temperature maxTokens stream',
      'Completion: completionId! model! messages! createdAt!',
    ],
  ]),
  plot('RAG', '/ai/knowledge-bases', [
    [
      'post /ai/rag/query',
      'Answer from the knowledge bases',
      'query! model knowledgeBaseId maxTokens',
      'RagAnswer: message! messages score',
    ],
  ]),
  plot('Documents', '/ai/documents'),
  plot('Embeddings', '/ai/embedding-jobs', [
    ['post /ai/embeddings', 'Turn a text into a vector', 'prompt! model', 'Embedding: embedding! model!'],
  ]),
  plot('Image Generation', '/ai/images', [
    [
      'post /ai/images/generate',
      'Draw from a description',
      'prompt! quantity dimensions',
      'GeneratedImage: imageId! image createdAt!',
    ],
  ]),
  plot('Semantic Search', '/ai/search-indexes', [
    ['post /ai/search', 'Search by meaning', 'query! locale tags', 'SearchHits: productSnapshot score'],
  ]),
  plot('Agents', '/ai/agents'),
  plot('Agent Runs', '/ai/agent-runs'),
  plot('Prompts', '/ai/prompts'),
  plot('Usage', '/ai/usage-records'),
];
