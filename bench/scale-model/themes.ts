// What the resources of a field of commerce are made of: members of their records, parts below them, what is done to
// them and what is counted. Invented, and plausible; the platform's own records are not shown by the source.

export interface Theme {
  /** Members of the catalogue; a resource takes some of them. */
  readonly members: string;
  /** Collections below one resource. */
  readonly parts: string;
  /** Actions on one resource. */
  readonly verbs: string;
  /** Figures over all of them. */
  readonly reports: string;
}

export const THEMES = {
  catalog: {
    members:
      'title! handle! subtitle description sku barcode price compareAtPrice images image category attributes tags status visibility seo translations metadata publishedAt position weightGrams dimensions packSize leadTimeDays isTaxable requiresShipping vendorId brandId discount content thread',
    parts: 'images translations relations price-tiers channel-listings badges',
    verbs: 'publish unpublish duplicate archive restore reindex',
    reports: 'summary stale bestsellers',
  },
  sales: {
    members:
      'number! currency! email phone channel financialStatus fulfillmentStatus total lines taxLines address billingAddress instrument discount shippingRule note tags metadata ipAddress locale dueOn trackingNumber customerId orderSnapshot customerSnapshot assignee condition correlationId',
    parts: 'notes transactions documents adjustments messages timeline-entries',
    verbs: 'approve cancel close reopen recalculate send-receipt hold',
    reports: 'summary overdue revenue',
  },
  customers: {
    members:
      'displayName! email! firstName lastName phone companyName taxNumber address billingAddress contact locale tags note metadata isActive status total customerId attributes condition percentage owner schedule customerSnapshot score',
    parts: 'contacts consents activities memberships documents preferences',
    verbs: 'merge invite block unblock verify recompute',
    reports: 'summary growth retention',
  },
  inventory: {
    members:
      'sku! quantity! name barcode hsCode cost weightGrams dimensions packSize leadTimeDays status locationId supplierId warehouseId dueOn trackingNumber address contact note tags metadata assignee productSnapshot period number reason',
    parts: 'entries reservations counts inspections documents alerts',
    verbs: 'receive reserve release recount transfer-out close',
    reports: 'summary shortages turnover',
  },
  checkout: {
    members:
      'currency! email! lines total taxLines address billingAddress instrument shippingRule discount code note metadata locale customerId expiresAt status channel condition amount percentage isActive countryCodes label ipAddress',
    parts: 'line-groups discounts payments shipping-options attempts messages',
    verbs: 'validate complete expire recalculate lock unlock',
    reports: 'summary conversion failures',
  },
  shipping: {
    members:
      'name! status! trackingNumber address contact weightGrams dimensions shippingRule price schedule countryCodes leadTimeDays carrierId orderId locationId dueOn note tags metadata condition priority isActive url packSize lines',
    parts: 'labels events rates packages exceptions zones',
    verbs: 'dispatch cancel track reschedule confirm print',
    reports: 'summary delays costs',
  },
  marketing: {
    members:
      'title! startsAt! endsAt description code percentage amount discount condition channel tags status visibility usageLimit image content recipients subject locale url score priority metadata translations campaignId isActive period',
    parts: 'audiences variants schedules conversions creatives rules',
    verbs: 'launch pause resume duplicate preview send-test',
    reports: 'summary performance attribution',
  },
  content: {
    members:
      'title! handle! body! excerpt image images content seo translations tags status visibility publishedAt locale menu thread category url position metadata owner format attributes label color period',
    parts: 'revisions annotations attachments translations blocks references',
    verbs: 'publish unpublish duplicate preview restore lock',
    reports: 'summary drafts readership',
  },
  design: {
    members:
      'name! label! color image images content menu locale locales translations status visibility position url isDefault isActive metadata attributes description productSnapshot storeSettings body version',
    parts: 'files sections presets palettes snapshots locales',
    verbs: 'activate duplicate preview export validate',
    reports: 'summary usage',
  },
  operations: {
    members:
      'title! severity! message status dueOn assignee owner note tags metadata condition interval format url callbackUrl correlationId startsAt endsAt isActive priority score period recipients channel storeSettings',
    parts: 'runs steps remarks logs subscribers thresholds',
    verbs: 'run pause resume acknowledge snooze escalate',
    reports: 'summary failures throughput',
  },
  account: {
    members:
      'name! email! displayName phone address billingAddress contact locale timeZone companyName taxNumber status isActive isDefault role currency storeSettings schedule image color url hostname metadata tags note owner audit countryCode',
    parts: 'contacts documents activities consents integrations quotas',
    verbs: 'verify suspend resume transfer duplicate refresh',
    reports: 'summary usage growth',
  },
  assistant: {
    members:
      'name! model! instructions prompt messages tools temperature maxTokens tags status isActive metadata locale score embedding description content url owner version period priority',
    parts: 'versions evaluations files runs feedback sources',
    verbs: 'run cancel duplicate evaluate publish',
    reports: 'summary usage costs',
  },
} as const satisfies Readonly<Record<string, Theme>>;

export type ThemeName = keyof typeof THEMES;

/** Records within records: each resource has some of its own, named after it. */
export const GROUPS: Readonly<Record<string, string>> = {
  pricing: 'price! compareAtPrice cost currency isTaxable',
  logistics: 'weightGrams dimensions leadTimeDays packSize requiresShipping hsCode',
  display: 'label! color image position isVisible translations',
  rules: 'condition! discount priority isActive usageLimit period',
  ownership: 'owner! assignee note audit',
  publishing: 'publishedAt visibility locales seo schedule',
  origin: 'externalId channel countryCode ipAddress correlationId',
  reach: 'recipients! countryCodes locales tags',
};

/** Members of a part, without what its theme adds. */
export const PART_MEMBERS = 'label! position note isActive metadata url amount percentage startsAt tags image';
