// The products of `npm run field`, each as its registry has it, none changed.
import { join } from 'node:path';
import type { Command, Product } from './product.ts';

/** A virtual environment of Python with the packages in it. */
function pip(folder: string, ...requirements: readonly string[]): readonly Command[] {
  return [
    { file: 'python3', args: ['-m', 'venv', folder] },
    { file: join(folder, 'bin', 'pip'), args: ['install', '--quiet', '--disable-pip-version-check', ...requirements] },
  ];
}

/** Into the folder itself: without a prefix npm takes the nearest folder above that has a package.json. */
function npm(folder: string, ...requirements: readonly string[]): readonly Command[] {
  const quietly = ['--silent', '--ignore-scripts', '--no-audit', '--no-fund'];
  return [{ file: 'npm', args: ['install', '--prefix', folder, ...quietly, ...requirements] }];
}

const WIREMOCK = 'org.wiremock:wiremock-standalone:3.13.1';
const STRIPE_MOCK = 'github.com/stripe/stripe-mock@v0.203.0';
const PHOENIX_ON_LOOPBACK = `
from grpc.aio._server import Server
listen = Server.add_insecure_port
Server.add_insecure_port = lambda server, at: listen(server, at.replace('[::]', '127.0.0.1'))
from phoenix.server.main import main
main()`;
const PRISM = '@stoplight/prism-cli';
const LOOPBACK = '@loopback/example-todo';

export const PRODUCTS: readonly Product[] = [
  {
    ...{ name: 'chroma', version: '1.5.9', stack: 'Rust', ready: '/api/v2/heartbeat' },
    install: (folder) => pip(folder, 'chromadb==1.5.9'),
    start: ({ installed, data, port }) => ({
      file: join(installed, 'bin', 'chroma'),
      args: ['run', '--path', data, '--host', '127.0.0.1', '--port', `${port}`],
    }),
    description: () => ({ path: '/openapi.json' }),
  },
  {
    // It does not start with the newest FastAPI and Starlette. Its paths are described without the prefix below which they are.
    ...{ name: 'prefect', version: '3.8.8', stack: 'Python, FastAPI', ready: '/api/health', base: '/api' },
    install: (folder) => pip(folder, 'prefect==3.8.8', 'fastapi==0.139.0', 'starlette==1.10.0'),
    start: ({ installed, data, port }) => ({
      file: join(installed, 'bin', 'prefect'),
      args: ['server', 'start', '--host', '127.0.0.1', '--port', `${port}`, '--no-services'],
      env: { PREFECT_HOME: data, PREFECT_SERVER_ANALYTICS_ENABLED: 'false', DO_NOT_TRACK: '1' },
    }),
    description: () => ({ path: '/openapi.json' }),
  },
  {
    // Its gRPC port, which is no part of the description, listens to every address unless it is told otherwise here.
    ...{ name: 'phoenix', version: '20.26.1', stack: 'Python, FastAPI', ready: '/healthz' },
    install: (folder) => pip(folder, 'arize-phoenix==20.26.1'),
    start: ({ installed, data, port }) => ({
      file: join(installed, 'bin', 'python3'),
      args: ['-c', PHOENIX_ON_LOOPBACK, 'serve'],
      env: {
        ...{ PHOENIX_HOST: '127.0.0.1', PHOENIX_PORT: `${port}`, PHOENIX_GRPC_PORT: '0', PHOENIX_WORKING_DIR: data },
        // It keeps a folder there beside its working directory.
        ...{ PHOENIX_TELEMETRY_ENABLED: 'false', PHOENIX_ALLOW_EXTERNAL_RESOURCES: 'false', TMPDIR: data },
      },
    }),
    description: () => ({ path: '/openapi.json' }),
  },
  {
    ...{ name: 'wiremock', version: '3.13.1', stack: 'Java, Jetty', ready: '/__admin/health' },
    install: (folder) => [
      { file: 'mvn', args: ['--quiet', 'dependency:copy', `-Dartifact=${WIREMOCK}`, `-DoutputDirectory=${folder}`] },
    ],
    start: ({ installed, port }) => ({
      file: 'java',
      args: [
        ...['-Xmx400m', '-jar', join(installed, 'wiremock-standalone-3.13.1.jar')],
        ...['--port', `${port}`, '--bind-address', '127.0.0.1'],
      ],
    }),
    description: () => ({ path: '/__admin/docs/swagger' }),
  },
  {
    // Unless told otherwise it listens for HTTPS too, at every address and always at one port.
    ...{ name: 'stripe-mock', version: '0.203.0', stack: 'Go', ready: '/', token: 'sk_test_123' },
    install: (folder) => [
      { file: 'go', args: ['install', STRIPE_MOCK], env: { GOBIN: folder } },
      { file: 'sh', args: ['-c', `cp "$(go env GOMODCACHE)/${STRIPE_MOCK}/embedded/openapi/spec3.json" spec3.json`] },
    ],
    start: ({ installed, port }) => ({
      file: join(installed, 'stripe-mock'),
      args: ['-http-addr', `127.0.0.1:${port}`, '-https-addr', '127.0.0.1:0'],
    }),
    description: ({ installed }) => ({ file: join(installed, 'spec3.json') }),
  },
  {
    ...{ name: 'loopback-todo', version: '6.0.0', stack: 'Node, LoopBack', ready: '/openapi.json' },
    install: (folder) => npm(folder, `${LOOPBACK}@6.0.0`),
    start: ({ installed, port }) => ({
      file: 'node',
      args: [join(installed, 'node_modules', LOOPBACK, 'dist', 'index.js')],
      env: { HOST: '127.0.0.1', PORT: `${port}` },
      cwd: join(installed, 'node_modules', LOOPBACK),
    }),
    description: () => ({ path: '/openapi.json' }),
  },
  {
    // It answers by the description that LoopBack's example publishes: validation and problem details are its own.
    ...{ name: 'prism', version: '5.16.0', stack: 'Node, micri', ready: '/todos' },
    install: (folder) => [
      ...npm(folder, `${PRISM}@5.16.0`, `${LOOPBACK}@6.0.0`),
      { file: 'node', args: [join(folder, 'node_modules', LOOPBACK, 'dist', 'openapi-spec.js'), 'todo.json'] },
    ],
    start: ({ installed, port }) => ({
      file: 'node',
      args: [
        ...[join(installed, 'node_modules', PRISM, 'dist', 'index.js'), 'mock', '--host', '127.0.0.1'],
        ...['--port', `${port}`, join(installed, 'todo.json')],
      ],
    }),
    description: ({ installed }) => ({ file: join(installed, 'todo.json') }),
  },
];
