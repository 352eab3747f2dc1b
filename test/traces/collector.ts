// Stands in for a collector: takes OTLP as JSON over HTTP, and shows what came.
import { gunzipSync } from 'node:zlib';
import fastify from 'fastify';

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number };
}

export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly Attribute[];
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
}

export interface Collector extends AsyncDisposable {
  readonly endpoint: string;
  /** Everything that came, as it came. */
  text(): string;
  spans(): readonly Span[];
  metrics(): ReadonlySet<string>;
  readonly gates: Set<unknown>;
}

/** Takes OTLP as JSON over HTTP. */
export async function collector(): Promise<Collector> {
  const server = fastify({ bodyLimit: 64 * 1024 * 1024 });
  const bodies: string[] = [];
  const gates = new Set<unknown>();
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
  server.post('/v1/:signal', async ({ body, headers }) => {
    const bytes = body as Buffer;
    gates.add(headers['x-gate']);
    bodies.push((headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString());
    return {};
  });
  const endpoint = await server.listen({ host: '127.0.0.1', port: 0 });
  const parts = () => bodies.map((body) => JSON.parse(body));
  return {
    endpoint,
    gates,
    text: () => bodies.join('\n'),
    spans: () => parts().flatMap(({ resourceSpans = [] }) => nested(resourceSpans, 'scopeSpans', 'spans')) as Span[],
    metrics: () =>
      new Set(
        parts()
          .flatMap(({ resourceMetrics = [] }) => nested(resourceMetrics, 'scopeMetrics', 'metrics'))
          .map((metric) => (metric as { name: string }).name),
      ),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

type Nested = Readonly<Record<string, readonly Readonly<Record<string, readonly unknown[]>>[]>>;

function nested(resources: readonly Nested[], scopes: string, items: string): readonly unknown[] {
  return resources.flatMap((one) => one[scopes] ?? []).flatMap((one) => one[items] ?? []);
}

/** The text that the span's attribute of this name has. */
export const said = ({ attributes }: Span, key: string) => attributes.find((one) => one.key === key)?.value.stringValue;
