// Addresses of the target as options name them.
import { invalidOption } from '../../config/errors.ts';
import { isHttpUrl, withoutTrailingSlash } from '../../config/http-url.ts';

/** The address without a slash at its end. Throws UsageError for what is none. */
export function addressIn(option: '--base-url' | '--target', text: string): string {
  if (isHttpUrl(text)) return withoutTrailingSlash(text);
  const message = `${option}: expected the address of the target, an http(s) URL without user name, query or fragment`;
  throw invalidOption(message, `for example ${option} https://shop.example.com`);
}
