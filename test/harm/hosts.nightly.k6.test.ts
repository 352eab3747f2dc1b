// Which hosts a whole run connects to, seen at every socket of every process of the command, while answers and descriptions
// lead elsewhere: redirects, Location and Link headers, addresses in bodies, $refs, servers, documentation.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Ground, newGround, runAssay } from '../interrupting.ts';
import { type ScriptedServer, scriptedServer } from '../support/client/scripted-server.ts';
import { k6Path, WITH_K6 } from '../support/load/k6/k6.ts';
import { type HarmedTarget, startTarget } from './target.ts';

/** Writes down each name that is looked up and each address that a socket is to reach, before it is tried. */
const WATCH = `
import { appendFileSync } from 'node:fs';
import dns from 'node:dns';
import net from 'node:net';
import { syncBuiltinESMExports } from 'node:module';
const tell = (line) => appendFileSync(process.env.CONNECTIONS, line + '\\n');
const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function (...given) {
  const [first] = Array.isArray(given[0]) ? given[0] : given;
  const { host = 'localhost', port, path } = typeof first === 'object' ? first : { port: first, host: given[1] };
  if (path === undefined) tell(host + ':' + port);
  return connect.apply(this, given);
};
for (const of of [dns, dns.promises])
  for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6']) {
    const usual = of[name];
    of[name] = function (host, ...more) {
      tell(host + ':name');
      return usual.call(this, host, ...more);
    };
  }
syncBuiltinESMExports();
`;

let ground: Ground;
let elsewhere: ScriptedServer;
let target: HarmedTarget;
beforeEach(async () => {
  ground = newGround();
  elsewhere = await scriptedServer((response) => response.writeHead(200).end('{"Thing":{"type":"object"}}'));
  target = await startLeadingTarget();
  writeFileSync(join(ground.cwd, 'watch.mjs'), WATCH);
});
afterEach(async () => {
  await target.stop();
  await elsewhere.close();
  ground.remove();
});

/** A target each of whose answers, and its description, names other hosts; every fourth answer is a redirect to one. */
function startLeadingTarget(): Promise<HarmedTarget> {
  return startTarget({
    collections: { pets: 'gone' },
    folder: ground.cwd,
    instead(response, { method, url }, index) {
      const there = [elsewhere.baseUrl, 'http://elsewhere.example'][index % 2];
      response.setHeader('link', `<${there}/next>; rel="next", <${there}/docs>; rel="documentation"`);
      response.setHeader('content-location', `${there}${url}`);
      if (method === 'POST') response.setHeader('location', `${there}/pets/1`);
      if (index % 4 !== 3) return false;
      const status = [301, 302, 303, 307, 308][index % 5] ?? 302;
      response.writeHead(status, { 'content-type': 'application/json', location: `${there}${url}` });
      response.end(JSON.stringify({ error: { message: 'moved', documentation_url: `${there}/docs` } }));
      return true;
    },
    described: (whole) => ({
      ...whole,
      servers: [{ url: `${elsewhere.baseUrl}/` }, { url: 'https://elsewhere.example/v1' }],
      externalDocs: { url: `${elsewhere.baseUrl}/docs` },
      components: {
        ...(whole.components as object),
        schemas: {
          Near: { $ref: `${elsewhere.baseUrl}/schemas.json#/Thing` },
          Far: { $ref: 'https://elsewhere.example/schemas.json#/Thing' },
          Schemed: { $schema: `${elsewhere.baseUrl}/draft`, $id: `${elsewhere.baseUrl}/id`, type: 'object' },
        },
      },
    }),
  });
}

/** Runs the command; resolves with all that it wanted to reach. */
async function contacted(
  ...args: readonly string[]
): Promise<{ readonly hosts: readonly string[]; code: number | null }> {
  const record = join(ground.cwd, 'connections.txt');
  const watch = join(ground.cwd, 'watch.mjs');
  const env = { NODE_OPTIONS: `--import=${watch}`, CONNECTIONS: record };
  const { code } = await runAssay(ground, [...args, '--config', 'assay.config.yaml'], { env });
  const lines = existsSync(record) ? readFileSync(record, 'utf8').trim().split('\n') : [];
  return { hosts: [...new Set(lines)].sort(), code };
}

const own = (): string => new URL(target.baseUrl).host;

test('the watch sees a connection and a name, whoever wants them', async () => {
  const file = join(ground.cwd, 'assay.config.yaml');
  const asked = `remoteRefs: ["${new URL(elsewhere.baseUrl).host}", "127.0.0.1"]\n`;
  writeFileSync(file, readFileSync(file, 'utf8') + asked);
  const { hosts } = await contacted('specs');
  expect(hosts).toContain(new URL(elsewhere.baseUrl).host);
});

test.each([
  ['conform', ['conform', '--out', 'out', '--budget', '1500', '--quiet']],
  ['doctor', ['doctor']],
])('assay %s reaches the target and nothing else', async (_name, args) => {
  const { hosts, code } = await contacted(...args);
  expect([0, 1]).toContain(code);
  expect(target.seen.length).toBeGreaterThan(args[0] === 'conform' ? 300 : 0);
  expect(hosts).toEqual([own()]);
  expect(elsewhere.seen).toEqual([]);
});

test.each([['specs'], ['plan']])('assay %s reaches nothing at all', async (command) => {
  const { hosts, code } = await contacted(command);
  // The descriptions have problems; an unknown command would end with 2.
  expect(code).toBeLessThan(2);
  expect(hosts).toEqual([]);
  expect(elsewhere.seen).toEqual([]);
});

test('assay clean reaches the target and nothing else', async () => {
  await contacted('conform', '--out', 'out', '--budget', '150', '--quiet');
  writeFileSync(join(ground.cwd, 'connections.txt'), '');
  const made = target.put('pets', 'left over');
  const lines = [
    { n: 901, service: 'things', operation: 'POST /pets', path: '/pets', key: 'main' },
    { n: 901, status: 201, made, undoable: true },
  ];
  const journal = join(ground.cwd, 'out', 'created.jsonl');
  const before = readFileSync(journal, 'utf8');
  writeFileSync(journal, before + lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const { hosts } = await contacted('clean', '--run', 'out');
  expect(hosts).toEqual([own()]);
  expect(elsewhere.seen).toEqual([]);
});

describe.skipIf(k6Path === null)(WITH_K6, () => {
  test('load follows no redirect, whoever sends it', async () => {
    const file = join(ground.cwd, 'assay.config.yaml');
    writeFileSync(file, `${readFileSync(file, 'utf8')}load: { soak: { rate: 20, seconds: 5 } }\n`);
    const { hosts } = await contacted('load', 'soak', '--out', 'out', '--quiet');
    expect(hosts).toEqual([own()]);
    expect(target.seen.length).toBeGreaterThan(60);
    expect(elsewhere.seen).toEqual([]);
  });
});
