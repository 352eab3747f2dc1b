// For tests: what a page holds, its folds unpacked.
import { gunzipSync } from 'node:zlib';

export interface Unpacked {
  /** The page without what it holds packed. */
  readonly shell: string;
  readonly folds: readonly string[];
  readonly data: unknown;
  /** The shell and all folds: what a reader can come to see. */
  readonly whole: string;
}

/** Takes a page apart. */
export function unpacked(page: string): Unpacked {
  const store = /<script type="text\/plain" id="store">([^<]*)<\/script>/.exec(page)?.[1] ?? '';
  const { folds, data } = JSON.parse(gunzipSync(Buffer.from(store, 'base64')).toString('utf8'));
  const shell = page.replace(/(<script type="text\/plain"[^>]*>)[^<]*/g, '$1');
  return { shell, folds, data, whole: [shell, ...folds].join('\n') };
}
