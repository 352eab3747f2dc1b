// evidence.har: the exchanges that findings and observations point to, for browsers and proxies that read HAR 1.2.
import type { Entry, Har } from 'har-format';
import type { Report, ReportedExchange } from '../../contract/report.ts';

/** HAR 1.2: an entry per exchange of the evidence, as redacted as the report. An exchange without an answer has status 0. */
export function renderHar(report: Report): string {
  const har: Har = {
    log: {
      version: '1.2',
      creator: { name: 'assay', version: report.tool.version },
      entries: report.exchanges.map(entryOf),
    },
  };
  return `${JSON.stringify(har)}\n`;
}

function entryOf({ id, probe, credential, sentAt, durationMs, request, response, failure }: ReportedExchange): Entry {
  const contentType = (headers: ReportedExchange['request']['headers']): string =>
    headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  return {
    startedDateTime: sentAt,
    time: durationMs,
    request: {
      method: request.method,
      url: request.url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(request.headers),
      queryString: pairs([...(URL.parse(request.url)?.searchParams ?? [])]),
      headersSize: -1,
      bodySize: request.body === null ? 0 : -1,
      ...(request.body === null ? {} : { postData: { mimeType: contentType(request.headers), text: request.body } }),
    },
    response: {
      status: response?.status ?? 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(response?.headers ?? []),
      content: { size: -1, mimeType: contentType(response?.headers ?? []), text: response?.body ?? '' },
      redirectURL: response?.headers.find(([name]) => name.toLowerCase() === 'location')?.[1] ?? '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0, wait: durationMs, receive: 0 },
    comment: [id, probe, credential, ...(failure === null ? [] : [failure])].join(' · '),
  };
}

function pairs(list: readonly (readonly [string, string])[]): { name: string; value: string }[] {
  return list.map(([name, value]) => ({ name, value }));
}
