// What references are relative to: files, and in 3.1 schemas with an $id of their own.

import { pointerOfFragment } from '../json.ts';
import { fileAt, type SourceFile } from './files.ts';

export interface Resource {
  readonly uri: string;
  /** Where it stands in the bundled document. */
  readonly pointer: string;
  /** $anchor names and the pointers they stand for. */
  readonly anchors: Map<string, string>;
}

export class Resources {
  /** In the order read, the description first. */
  readonly files: SourceFile[] = [];
  private readonly byUri = new Map<string, Resource>();
  private readonly identified: Resource[] = [];

  addFile(file: SourceFile): Resource {
    const resource = { uri: file.location, pointer: file.prefix, anchors: new Map<string, string>() };
    this.files.push(file);
    this.byUri.set(file.location, resource);
    return resource;
  }

  /** Notes a schema's $id. */
  addId(id: string, pointer: string): void {
    const uri = absolute(id, this.at(pointer).uri)?.uri;
    if (uri === undefined || this.byUri.has(uri)) return;
    const resource = { uri, pointer, anchors: new Map<string, string>() };
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

  /** Resource and fragment that a reference found at a place means; null when it is no URI reference. */
  meantBy(reference: string, pointer: string): { uri: string; fragment: string } | null {
    const { uri } = this.at(pointer);
    return reference.startsWith('#') ? { uri, fragment: reference.slice(1) } : absolute(reference, uri);
  }
}

/** Where a fragment of a resource (empty, a pointer or an anchor) stands in the bundled document; null for an unknown anchor. */
export function pointerIn(resource: Resource, fragment: string): string | null {
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
