#!/usr/bin/env node
// The command. Plain JavaScript that any Node parses, so that a Node too old says so in one line instead of failing
// on syntax. In the repository a Node too old hands over to the one that `npm ci` installed.
/* biome-ignore-all lint/style/useNodejsImportProtocol: the prefix is unknown to the old Nodes this file answers */
const fs = require('fs');
const path = require('path');
const url = require('url');

const NEEDED = [22, 19];
const root = path.join(__dirname, '..');
const ownNode = path.join(root, 'node_modules', 'node', 'bin', 'node');

function isTooOld(version) {
  const parts = version.split('.').map(Number);
  return parts[0] < NEEDED[0] || (parts[0] === NEEDED[0] && parts[1] < NEEDED[1]);
}

// The child has a process group of its own: a terminal's Ctrl-C then reaches it once, through here, and not twice,
// which would read as "stop at once".
function handOver() {
  const child = require('child_process').spawn(ownNode, [__filename].concat(process.argv.slice(2)), {
    stdio: 'inherit',
    detached: true,
    env: Object.assign({}, process.env, { ASSAY_HANDED_OVER: '1' }),
  });
  ['SIGINT', 'SIGTERM', 'SIGHUP'].forEach((signal) => {
    process.on(signal, () => child.kill(signal));
  });
  child.on('error', (error) => fail(2, `${ownNode} does not start (${error.message}); run npm ci again`));
  child.on('exit', (code) => {
    process.exitCode = code === null ? 3 : code;
  });
}

// Inside the repository the sources run as they are; the package holds only what was compiled from them.
function start() {
  const source = path.join(root, 'src', 'cli');
  const isSource = fs.existsSync(source);
  const load = (name) => {
    const file = isSource ? path.join(source, `${name}.ts`) : path.join(root, 'dist', 'src', 'cli', `${name}.js`);
    return import(url.pathToFileURL(file).href);
  };
  load('code-cache')
    .then((cache) => cache.keepCompiledCode(process.env))
    .then(() => load('main'))
    .then((cli) => cli.main(process.argv.slice(2)))
    .then((code) => {
      process.exitCode = code;
    })
    .catch((error) => {
      if (error.code === 'ERR_MODULE_NOT_FOUND') fail(2, `${error.message}; run npm ci first`);
      else defect(error);
    });
  // What nothing waits for, a timer say, ends the process; left to Node it would end with the exit code of violations.
  process.on('uncaughtException', (error) => {
    defect(error);
    process.exit();
  });
}

function defect(error) {
  fail(3, `${error.message} (a defect of assay, not of the target; ASSAY_DEBUG=1 shows where)`, error);
}

function fail(code, message, error) {
  console.error(error && process.env.ASSAY_DEBUG ? error : `assay: ${message}`);
  process.exitCode = code;
}

// A reader that goes away (`assay … | head`) ends neither the run nor its exit code.
[process.stdout, process.stderr].forEach((stream) => {
  stream.on('error', (error) => {
    if (error.code !== 'EPIPE') throw error;
  });
});

if (!isTooOld(process.versions.node)) start();
else if (fs.existsSync(ownNode) && !process.env.ASSAY_HANDED_OVER) handOver();
else
  fail(
    2,
    `needs Node ${NEEDED.join('.')} or newer, but this is Node ${process.versions.node}; install it from https://nodejs.org`,
  );
