// evidence.har: the exchanges that findings and observations point to, for browsers and proxies that read HAR 1.2.
import type { Entry, Har } from 'har-format';
import type { Report, ReportedExchange } from '../../contract/report.ts';
import { uncut } from '../../exchange/reported.ts';

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
      ...sentBody(request.body, contentType(request.headers)),
    },
    response: {
      status: response?.status ?? 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(response?.headers ?? []),
      content: { ...answeredBody(response?.body ?? ''), mimeType: contentType(response?.headers ?? []) },
      redirectURL: response?.headers.find(([name]) => name.toLowerCase() === 'location')?.[1] ?? '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0, wait: durationMs, receive: 0 },
    comment: [id, probe, credential, ...(failure === null ? [] : [failure])].join(' · '),
  };
}

/** A body that the report holds a part of has the size of the whole: who reads the file knows by that what is lacking. */
function answeredBody(body: string): { readonly size: number; readonly text: string } {
  const { text, characters } = uncut(body);
  return { size: characters > text.length ? characters : -1, text };
}

function sentBody(body: string | null, mimeType: string): Pick<Entry['request'], 'bodySize' | 'postData'> {
  if (body === null) return { bodySize: 0 };
  const { size, text } = answeredBody(body);
  return { bodySize: size, postData: { mimeType, text } };
}

function pairs(list: readonly (readonly [string, string])[]): { name: string; value: string }[] {
  return list.map(([name, value]) => ({ name, value }));
}
