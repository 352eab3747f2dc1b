// Texts that the request itself carried: what comes back of them in an error is an echo, not something the server let out.
import type { Exchange } from '../../exchange/exchange.ts';
import { stringsIn } from './json-strings.ts';
import { percentDecoded, requestPaths } from './request-path.ts';

/** Path, query, header values and body of the request, raw and decoded, joined by line breaks. */
export function sentTexts({ plan, request }: Exchange): string {
  const query = request.query.replaceAll('+', ' ');
  const paths = requestPaths({ plan, request });
  const texts = [...paths, ...paths.map(percentDecoded), request.query, percentDecoded(query)];
  texts.push(...request.headers.map(([, value]) => value));
  if (plan.body.kind === 'raw') texts.push(plan.body.text);
  if (plan.body.kind === 'json') {
    for (const { text } of stringsIn(plan.body.value)) texts.push(text);
    texts.push(request.body ?? '');
  }
  return texts.join('\n');
}
