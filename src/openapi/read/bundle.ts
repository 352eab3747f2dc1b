// One document out of a description and the files it refers to. Every $ref ends up as a pointer into that document
// ("#/..."); files are attached below "x-bundled". A reference that leads nowhere is a problem and is left as it is.
import {
  appended,
  asObject,
  isObject,
  type JsonObject,
  pointerOfFragment,
  referenceTo,
  tokensOf,
  valueAt,
} from '../json.ts';
import type { Problem } from '../model/operation.ts';
import { type Kind, referenceIn, walk } from '../rules/document-grammar.ts';
import { referenceCircles } from '../rules/endless-references.ts';
import { ATTACHED, fileAt, NotFollowed, originOf, type SourceFile } from './files.ts';
import { duplicateKeys } from './json-places.ts';
import { mayNameOlderDraft, modernise, modernPlace, olderDraftAt } from './older-drafts.ts';
import { parseText } from './parse.ts';
import type { Located } from './references.ts';
import type { Source, Sources } from './source.ts';

export interface Bundle {
  readonly document: JsonObject;
  /** The description first. */
  readonly files: readonly SourceFile[];
  /** References that lead nowhere or in a circle, by the object that holds them. */
  readonly dangling: ReadonlySet<object>;
  /** Parts that bundled files contribute: to be validated, since the description's own schema does not reach them. */
  readonly attached: readonly { readonly kind: Kind; readonly pointer: string }[];
  /** Schemas that are composed of others by allOf. */
  readonly composed: readonly Located[];
  readonly problems: readonly Problem[];
  /** True where every file referred to could be read. */
  readonly complete: boolean;
  /** True where every reference is written as one into the document. */
  readonly standsAlone: boolean;
}

/** One reference: `holder[key]`, found at `pointer`. */
interface Site {
  readonly holder: JsonObject;
  readonly key: string;
  readonly reference: string;
  readonly kind: Kind;
  readonly pointer: string;
}

export interface BundleOptions {
  readonly root: Source;
  readonly document: JsonObject;
  /** How many fields came out of the root's text. */
  readonly fields: number;
  readonly dialect: '3.0' | '3.1';
  readonly sources: Sources;
}

/** Follows all references. Changes `document` in place. Linear in its size. */
export async function bundle(options: BundleOptions): Promise<Bundle> {
  const bundler = new Bundler(options);
  await bundler.run();
  return bundler;
}

class Bundler implements Bundle {
  readonly document: JsonObject;
  readonly dangling = new Set<object>();
  readonly attached: { kind: Kind; pointer: string }[] = [];
  readonly composed: Located[] = [];
  readonly problems: Problem[] = [];
  standsAlone = true;
  private readonly options: BundleOptions;
  private readonly resources = new Resources();
  private readonly refused = new Map<string, Error>();
  private readonly seen = new Set<object>();
  private sites: Site[] = [];
  private hasOlderDrafts = false;
  /** References to places where another reference stands. */
  private readonly chained: Site[] = [];

  constructor(options: BundleOptions) {
    this.options = options;
    this.document = options.document;
    this.addFile({ ...options.root, prefix: '' }, options.fields, this.document);
  }

  get files(): readonly SourceFile[] {
    return this.resources.files;
  }

  get complete(): boolean {
    return this.refused.size === 0;
  }

  async run(): Promise<void> {
    this.visit(this.document, 'document', '');
    while (this.sites.length > 0) {
      const found = this.sites;
      this.sites = [];
      for (const site of found) await this.settle(site);
    }
    const circular = referenceCircles(
      this.chained.map(({ holder }) => holder),
      this.document,
    );
    for (const site of this.chained) {
      if (circular.has(site.holder)) this.fail(site, 'leads back to itself', 'circular-ref');
    }
  }

  private visit(node: unknown, kind: Kind, pointer: string): void {
    walk(node, kind, pointer, this.seen, (holder, itsKind, itsPointer) => {
      const isOlder = itsKind === 'schema' && this.modernised(holder, itsPointer);
      const reference = referenceIn(holder, itsKind);
      if (reference !== null) this.sites.push({ holder, key: '$ref', reference, kind: itsKind, pointer: itsPointer });
      if (itsKind === 'schema') this.visitSchema(holder, itsPointer);
      if (isOlder) this.visitDefinitions(holder, itsPointer);
    });
  }

  /** Tells whether the schema was one of an older draft: it is one of 2020-12 then. */
  private modernised(schema: JsonObject, pointer: string): boolean {
    const draft = this.hasOlderDrafts ? olderDraftAt(this.document, pointer) : null;
    if (draft !== null) modernise(schema, draft);
    return draft !== null;
  }

  /** Older drafts have schemas where 2020-12 has none. */
  private visitDefinitions(schema: JsonObject, pointer: string): void {
    for (const [name, one] of Object.entries(asObject(schema.definitions)))
      this.visit(one, 'schema', appended(pointer, 'definitions', name));
  }

  private visitSchema(schema: JsonObject, pointer: string): void {
    if (Array.isArray(schema.allOf)) this.composed.push({ value: schema, pointer });
    const mapping = asObject(asObject(schema.discriminator).mapping);
    for (const [key, reference] of Object.entries(mapping)) {
      if (typeof reference !== 'string' || this.isSchemaName(reference)) continue;
      this.sites.push({
        holder: mapping,
        key,
        reference,
        kind: 'schema',
        pointer: appended(pointer, 'discriminator', 'mapping', key),
      });
    }
    if (this.options.dialect === '3.0') return;
    if (typeof schema.$id === 'string') this.resources.addId(schema.$id, pointer);
    for (const anchor of [schema.$anchor, schema.$dynamicAnchor]) {
      if (typeof anchor === 'string') this.resources.at(pointer).anchors.set(anchor, pointer);
    }
    if (typeof schema.$dynamicRef === 'string') {
      this.sites.push({ holder: schema, key: '$dynamicRef', reference: schema.$dynamicRef, kind: 'schema', pointer });
    }
  }

  private isSchemaName(reference: string): boolean {
    return Object.hasOwn(asObject(asObject(this.document.components).schemas), reference);
  }

  private async settle(site: Site): Promise<void> {
    const { holder, key, reference, kind } = site;
    if (!reference.startsWith('#')) this.standsAlone = false;
    const meant = this.resources.meantBy(reference, site.pointer);
    if (meant === null) return this.fail(site, 'is none');
    const resource = this.resources.get(meant.uri) ?? (await this.attach(meant.uri));
    if (resource === null) return this.failToRead(site, this.refused.get(meant.uri));
    const stated = pointerIn(resource, meant.fragment);
    const pointer = stated === null ? null : this.today(stated);
    const target = pointer === null ? undefined : valueAt(this.document, pointer);
    if (pointer === null || target === undefined) return this.fail(site, 'leads nowhere');
    if (pointer !== stated || resource.pointer !== '' || !reference.startsWith('#/'))
      holder[key] = referenceTo(pointer);
    if (!isObject(target)) return;
    if (key === '$ref' && typeof target.$ref === 'string') this.chained.push(site);
    if (this.seen.has(target)) return;
    if (resource.pointer.startsWith(`/${ATTACHED}/`)) this.attached.push({ kind, pointer });
    this.visit(target, kind, pointer);
  }

  /** Where a pointer leads once keywords of older drafts were written in today's words. */
  private today(pointer: string): string {
    const isMoved = this.hasOlderDrafts && valueAt(this.document, pointer) === undefined;
    return isMoved ? modernPlace(pointer) : pointer;
  }

  private failToRead(site: Site, reason: Error | undefined): void {
    const rule = reason instanceof NotFollowed ? 'unread-ref' : 'unresolved-ref';
    this.fail(site, `cannot be followed: ${reason?.message}`, rule);
  }

  private fail(site: Site, message: string, rule = 'unresolved-ref'): void {
    this.dangling.add(site.holder);
    const { file, pointer } = originOf(this.files, site.key === '$ref' ? appended(site.pointer, '$ref') : site.pointer);
    this.problems.push({ file, pointer, rule, message: `the reference "${site.reference}" ${message}` });
  }

  /** Reads a further file and hangs it into the document; null (and a reason in `refused`) when that may not or cannot be. */
  private async attach(location: string): Promise<Resource | null> {
    if (this.refused.has(location)) return null;
    try {
      const source = await this.options.sources.referred(location);
      const { value, fields } = await parseText(source.text, source.name, location);
      this.document[ATTACHED] = { ...asObject(this.document[ATTACHED]), [source.name]: value };
      return this.addFile({ ...source, prefix: appended('', ATTACHED, source.name) }, fields, value);
    } catch (error) {
      this.refused.set(location, error as Error);
      return null;
    }
  }

  private addFile(file: SourceFile, fields: number, value: unknown): Resource {
    for (const pointer of duplicateKeys(file.text, fields)) {
      const message = `the field "${tokensOf(pointer).at(-1)}" stands more than once in its object; only the last counts`;
      this.problems.push({ file: file.name, pointer, rule: 'duplicate-key', message });
    }
    this.hasOlderDrafts ||= this.options.dialect === '3.1' && mayNameOlderDraft(file.text);
    const { $self } = asObject(value);
    return this.resources.addFile(file, typeof $self === 'string' ? $self : null);
  }
}

interface Resource {
  readonly uri: string;
  /** The URI that it gives itself; null where it gives none. Source: OpenAPI 3.2, $self. */
  readonly self: string | null;
  /** Where it stands in the bundled document. */
  readonly pointer: string;
  /** $anchor names and the pointers they stand for. */
  readonly anchors: Map<string, string>;
}

/** Bases of relative references: files, and in 3.1 schemas with an $id of their own. */
class Resources {
  /** In the order read, the description first. */
  readonly files: SourceFile[] = [];
  private readonly byUri = new Map<string, Resource>();
  private readonly identified: Resource[] = [];

  /** `stated`: the URI that the file gives itself, by which others and its own references may name it. */
  addFile(file: SourceFile, stated: string | null): Resource {
    const self = stated === null ? null : (absolute(stated, file.location)?.uri ?? null);
    const resource = { uri: file.location, self, pointer: file.prefix, anchors: new Map<string, string>() };
    this.files.push(file);
    this.byUri.set(file.location, resource);
    if (self !== null && !this.byUri.has(self)) this.byUri.set(self, resource);
    return resource;
  }

  /** Notes a schema's $id. */
  addId(id: string, pointer: string): void {
    const uri = absolute(id, this.at(pointer).uri)?.uri;
    if (uri === undefined || this.byUri.has(uri)) return;
    const resource = { uri, self: null, pointer, anchors: new Map<string, string>() };
    this.byUri.set(uri, resource);
    this.identified.push(resource);
  }

  get(uri: string): Resource | null {
    return this.byUri.get(uri) ?? null;
  }

  /** The innermost resource that a place belongs to. */
  at(pointer: string): Resource {
    const inner = this.identified.findLast((one) => pointer === one.pointer || pointer.startsWith(`${one.pointer}/`));
    return inner ?? (this.byUri.get(fileAt(this.files, pointer).location) as Resource);
  }

  /**
   * Resource and fragment that a reference found at a place means; null when it is no URI reference. A file that is not known by its own
   * URI is looked for where it lies.
   */
  meantBy(reference: string, pointer: string): { uri: string; fragment: string } | null {
    const { uri, self } = this.at(pointer);
    if (reference.startsWith('#')) return { uri, fragment: reference.slice(1) };
    const meant = self === null ? null : absolute(reference, self);
    return meant !== null && this.byUri.has(meant.uri) ? meant : absolute(reference, uri);
  }
}

/** Where a fragment of a resource (empty, a pointer or an anchor) stands in the bundled document; null for an unknown anchor. */
function pointerIn(resource: Resource, fragment: string): string | null {
  const decoded = pointerOfFragment(fragment);
  if (decoded === '') return resource.pointer;
  return decoded.startsWith('/') ? resource.pointer + decoded : (resource.anchors.get(decoded) ?? null);
}

function absolute(reference: string, base: string): { uri: string; fragment: string } | null {
  if (!URL.canParse(reference, base)) return null;
  const url = new URL(reference, base);
  const fragment = url.hash.slice(1);
  url.hash = '';
  return { uri: url.href, fragment };
}
