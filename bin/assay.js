#!/usr/bin/env node
// The command. Plain JavaScript that any Node parses, so that a Node too old says so in one line instead of failing
// on syntax. In the repository a Node too old hands over to the one that `npm ci` installed.
/* biome-ignore-all lint/style/useNodejsImportProtocol: the prefix is unknown to the old Nodes this file answers */
const fs = require('fs');
const path = require('path');
const url = require('url');
const starters = require('./starters');

const NEEDED = [22, 19];
const LONGEST_END_MS = 5000;
/** A terminal and npm both pass one Ctrl-C on: what comes so soon after it is the same one. */
const SAME_PRESS_MS = 500;
/** A command that was asked to end at once has so long to do it. */
const AT_ONCE_MS = 3000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const root = path.join(__dirname, '..');
const ownNode = path.join(root, 'node_modules', 'node', 'bin', 'node');

function isTooOld(version) {
  const parts = version.split('.').map(Number);
  return parts[0] < NEEDED[0] || (parts[0] === NEEDED[0] && parts[1] < NEEDED[1]);
}

// The child has a process group of its own: a terminal's Ctrl-C then reaches it once, through here, and not twice,
// which would read as "stop at once". By the channel between the two it notices when this process is killed.
function handOver() {
  const child = require('child_process').spawn(ownNode, [__filename].concat(process.argv.slice(2)), {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    detached: true,
    env: Object.assign({}, process.env, { ASSAY_HANDED_OVER: '1' }),
  });
  let askedAtMs = 0;
  SIGNALS.forEach((signal) => {
    process.on(signal, () => {
      child.kill(signal);
      const isAgain = askedAtMs > 0 && Date.now() - askedAtMs >= SAME_PRESS_MS;
      if (askedAtMs === 0) askedAtMs = Date.now();
      // One that computes without a pause hears of no signal.
      if (isAgain) setTimeout(() => child.kill('SIGKILL'), AT_ONCE_MS);
    });
  });
  // Nobody reads the exit code, and the child ends when this process does.
  starters.watchStarters(() => process.exit(3));
  child.on('error', (error) => fail(2, `${ownNode} does not start (${error.message}); run npm ci again`));
  child.on('exit', (code) => end(code === null ? 3 : code));
}

// Inside the repository the sources run as they are; the package holds only what was compiled from them.
function start() {
  if (process.env.ASSAY_HANDED_OVER && process.channel) {
    process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
    process.channel.unref();
  }
  starters.watchFromWorker();
  SIGNALS.forEach((signal) => {
    process.on(signal, interrupted);
  });
  const source = path.join(root, 'src', 'cli');
  const isSource = fs.existsSync(source);
  const load = (name) => {
    const file = isSource ? path.join(source, `${name}.ts`) : path.join(root, 'dist', 'src', 'cli', `${name}.js`);
    return import(url.pathToFileURL(file).href);
  };
  load('process/code-cache')
    .then((cache) => cache.keepCompiledCode(process.env))
    .then(() => load('main'))
    .then((cli) => {
      const running = cli.main(process.argv.slice(2));
      listens = true;
      return running;
    })
    .then((code) => end(outputLost && code === 0 ? 3 : code))
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

// While the command's code is loaded, and when it has ended. In between it listens for itself.
function interrupted() {
  if (listens && !ended) return;
  if (!ended) fail(3, 'interrupted');
  process.exit();
}

// Nothing that was left under way keeps a finished command alive for long.
function end(code) {
  process.exitCode = code;
  ended = true;
  setTimeout(() => process.exit(), LONGEST_END_MS).unref();
}

function defect(error) {
  fail(3, `${error.message} (a defect of assay, not of the target; ASSAY_DEBUG=1 shows where)`, error);
}

function fail(code, message, error) {
  console.error(error && process.env.ASSAY_DEBUG ? error : `assay: ${message}`);
  end(code);
}

let listens = false;
let ended = false;
let outputLost = false;
// A command that waits for what never comes would end with exit code 0: nothing keeps Node alive for it.
process.on('beforeExit', () => {
  if (ended) return;
  ended = true;
  console.error('assay: ended before it was done (a defect of assay, not of the target)');
  process.exitCode = 3;
});

// A reader that goes away (`assay … | head`, a terminal that is closed) ends neither the run nor its exit code. Output
// that a full disk takes no more of is output that is missing.
const READER_GONE = ['EPIPE', 'EIO', 'ENXIO', 'ERR_STREAM_DESTROYED'];
process.stderr.on('error', () => {});
process.stdout.on('error', (error) => {
  if (READER_GONE.indexOf(error.code) >= 0 || outputLost) return;
  outputLost = true;
  if (ended && process.exitCode === 0) process.exitCode = 3;
  console.error(`assay: the output cannot be written: ${error.message}`);
});

if (!isTooOld(process.versions.node)) start();
else if (fs.existsSync(ownNode) && !process.env.ASSAY_HANDED_OVER) handOver();
else
  fail(
    2,
    `needs Node ${NEEDED.join('.')} or newer, but this is Node ${process.versions.node}; install it from https://nodejs.org`,
  );
