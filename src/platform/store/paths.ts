// Path templates: their parameters, collections and concrete forms.

export interface TemplateParameter {
  readonly name: string;
  /** The template before this parameter, parameter names kept: "/stores/{storeId}/domains". */
  readonly collection: string;
}

/** Parameters that fill a whole segment, in order; each stands for an id within the collection before it. */
export function parametersOf(template: string): TemplateParameter[] {
  const segments = template.split('/');
  const found: TemplateParameter[] = [];
  segments.forEach((segment, at) => {
    const name = /^\{([^{}]+)\}$/.exec(segment)?.[1];
    if (name !== undefined) found.push({ name, collection: segments.slice(0, at).join('/') });
  });
  return found;
}

/** The collection of an item path ("/stores/{storeId}" → "/stores"), with or without a slash at its end; null for other paths. */
export function collectionOf(template: string): string | null {
  return /^(.*)\/\{[^{}]+\}\/?$/.exec(template)?.[1] ?? null;
}

/** A fragment is never sent: some tell two operations of one path apart by it. */
const FRAGMENT = /#.*$/;

/** Templates that differ in parameter names, a slash at the end, or a fragment only have one shape. */
export function shapeOf(template: string): string {
  return template
    .replace(FRAGMENT, '')
    .replace(/\{[^{}]*\}/g, '{}')
    .replace(/\/$/, '');
}

/** The template with its parameters filled in, values as decoded. */
export function concrete(template: string, params: Readonly<Record<string, string>>): string {
  return template.replace(/\{([^{}]+)\}/g, (_, name: string) => params[name] ?? '');
}

const IN_BRACES = /\{([^{}]*)\}/g;

/** The template as the router writes it: ":p0" for its first parameter, for names have signs that end one there; literal colons doubled. */
export function routerPath(template: string): string {
  let count = 0;
  return template
    .replace(FRAGMENT, '')
    .replaceAll(':', '::')
    .replaceAll('*', '%2A')
    .replace(IN_BRACES, (_parameter, _name, at: number, whole: string) => {
      // Before a colon the router takes all for the name of the parameter unless it says what it takes.
      const isBeforeColon = whole.startsWith('}::', whole.indexOf('}', at));
      return `:p${count++}${isBeforeColon ? '(^[^:]+)' : ''}`;
    });
}

/** The parameters that the router found, by their names in the template. */
export function namedParams(template: string, found: Readonly<Record<string, string>>): Record<string, string> {
  const names = [...template.matchAll(IN_BRACES)].map(([, name = '']) => name);
  return Object.fromEntries(names.map((name, at) => [name, found[`p${at}`] ?? '']));
}

/** "storeId" → "store_id". */
export function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
}

/** "email-forwards" → "email_forward": the name ids of a collection begin with. */
export function singular(collection: string): string {
  const last = snakeCase(
    collection
      .split('/')
      .filter((one) => one !== '' && !one.startsWith('{'))
      .at(-1) ?? 'item',
  );
  return last
    .replace(/ies$/, 'y')
    .replace(/([^s])s$/, '$1')
    .replace(/[^a-z0-9_]/g, '');
}
