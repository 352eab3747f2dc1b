// Headers that every HTTP client sends or that proxies add: they say nothing of how a platform delivers.
const ORDINARY =
  /^(host|connection|keep-alive|content-(length|type|encoding|md5|digest)|repr-digest|digest|transfer-encoding|user-agent|accept(-\w+)*|cookie|cache-control|pragma|te|expect|via|forwarded|x-forwarded-\w+|x-real-ip|traceparent|tracestate|baggage|dnt|upgrade-insecure-requests|sec-[\w-]+|proxy-[\w-]+|origin|referer|priority)$/;

/** `name` in lower case. */
export function isOrdinary(name: string): boolean {
  return ORDINARY.test(name);
}
