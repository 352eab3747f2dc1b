// Which k6 Assay runs. Pinned: figures of two releases are compared only where the generator is the same.

/** The release that is built or looked for first. */
export const K6_VERSION = '1.8.1';

/** The version in `k6 version`'s first line, "k6 v1.8.1 (…)" or "k6.exe v1.8.1+ext (…)"; null where it says none. */
export function versionIn(text: string): string | null {
  return /^k6(?:\.exe)? v?(\d+\.\d+\.\d+)(?=[\s+(-]|$)/m.exec(text)?.[1] ?? null;
}

/** Tells whether the scripts run on it: the pinned minor line from the pinned patch on, or a later minor of the same major. */
export function fits(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  const [pinnedMajor = 0, pinnedMinor = 0, pinnedPatch = 0] = K6_VERSION.split('.').map(Number);
  if (major !== pinnedMajor) return false;
  return minor > pinnedMinor || (minor === pinnedMinor && patch >= pinnedPatch);
}
