// The files of a description: what they are called, where they stand in the bundled document, and which may be read.

/** Where bundled files are attached: "/x-bundled/common.yaml/...". */
export const ATTACHED = 'x-bundled';

/** A file of a description and where its content stands in the bundled document. */
export interface FileOrigin {
  /** As the user names it: for a bundled file relative to the description's folder, or its URL. */
  readonly name: string;
  readonly location: string;
  /** SHA-256 of its bytes, as hex. */
  readonly digest: string;
  /** Pointer; "" for the description itself. */
  readonly prefix: string;
}

export interface SourceFile extends FileOrigin {
  readonly text: string;
}

/** A file that is not read because nobody allowed it: that says nothing of the description. Caught where it is bundled. */
export class NotFollowed extends Error {}

/**
 * Why a file may not be read for a reference; null when it may: below the description's folder, or in a folder or from a host
 * of remoteRefs (folders as URLs that end in a slash).
 */
export function refusal(location: string, description: string, remoteRefs: readonly string[]): string | null {
  if ([folderOf(description), ...foldersIn(remoteRefs)].some((folder) => location.startsWith(folder))) return null;
  const { protocol, host, hostname } = new URL(location);
  if (protocol === 'http:' || protocol === 'https:') {
    const allowed = remoteRefs.some((name) => name === host || name === hostname);
    return allowed ? null : `${host} is not among the hosts of remoteRefs`;
  }
  return protocol === 'file:' && description.startsWith('file:')
    ? "only files below the description's folder and those of refFolders are followed"
    : `nothing is fetched by ${protocol}`;
}

/** The folders among the places that references may lead to. */
export function foldersIn(remoteRefs: readonly string[]): readonly string[] {
  return remoteRefs.filter((one) => one.startsWith('file:'));
}

/** Name of a file in problems: relative to the description's folder, else its URL. */
export function nameOf(location: string, description: string): string {
  const folder = folderOf(description);
  return location.startsWith(folder) ? decodeURI(location.slice(folder.length)) : location;
}

function folderOf(location: string): string {
  return location.slice(0, location.lastIndexOf('/') + 1);
}

/** The file that a place in the bundled document comes from. */
export function fileAt(files: readonly FileOrigin[], pointer: string): FileOrigin {
  if (!pointer.startsWith(`/${ATTACHED}/`)) return files[0] as FileOrigin;
  return (
    files.find(({ prefix }) => prefix !== '' && `${pointer}/`.startsWith(`${prefix}/`)) ?? (files[0] as FileOrigin)
  );
}

/** The file and the pointer in that file for a place in the bundled document. */
export function originOf(files: readonly FileOrigin[], pointer: string): { file: string; pointer: string } {
  const { name, prefix } = fileAt(files, pointer);
  return { file: name, pointer: pointer.slice(prefix.length) };
}
