// Tells when those who started a command are gone: a command that nobody waits for is not to go on at full speed. Plain
// JavaScript, as assay.js is, and the code of a worker, which has its turns while the command computes without a pause.
/* biome-ignore-all lint/style/useNodejsImportProtocol: the prefix is unknown to the old Nodes this file answers */
const fs = require('fs');

const LOOK_MS = 500;
/** A command whose event loop had no turn for so long after it was to end is killed, and so is one that takes longer to end. */
const MAX_STILL_MS = 5000;
const MAX_END_MS = 60000;
const SHELLS = ['sh', 'dash', 'bash', 'ash', 'zsh'];

/** The processes that are to be there as long as this one: its parent, and npm where a shell of npm's stands between. */
function starters() {
  const parent = process.ppid;
  const isOfNpm = process.env.npm_command !== undefined || process.env.npm_lifecycle_event !== undefined;
  if (process.env.ASSAY_HANDED_OVER) return [parent];
  if (!isOfNpm || parent <= 1) return [];
  return SHELLS.indexOf(read(`/proc/${parent}/comm`).trim()) < 0 ? [parent] : [parent, parentOf(parent)];
}

/** Whether one of the processes that `starters` told is gone, so that another has taken its children over. */
function areGone(pids) {
  return pids.length > 0 && (process.ppid !== pids[0] || (pids.length > 1 && parentOf(pids[0]) !== pids[1]));
}

/** 0 where that cannot be read: nowhere but on Linux. */
function parentOf(pid) {
  const stat = read(`/proc/${pid}/stat`);
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] || 0);
}

function read(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (_) {
    return '';
  }
}

/** Calls `onGone` once, as soon as one of them is gone. Does not keep the process alive. */
function watchStarters(onGone) {
  const pids = starters();
  if (pids.length === 0) return;
  const timer = setInterval(() => {
    if (!areGone(pids)) return;
    clearInterval(timer);
    onGone();
  }, LOOK_MS);
  timer.unref();
}

/** Watches from a worker: asks the process to end where nobody else does, and kills it where it does not come to that. */
function watchFromWorker() {
  const pids = starters();
  if (pids.length === 0) return;
  const { Worker } = require('worker_threads');
  const beats = new Int32Array(new SharedArrayBuffer(4));
  setInterval(() => Atomics.add(beats, 0, 1), LOOK_MS / 2).unref();
  const worker = new Worker(__filename, { workerData: { beats, pids }, execArgv: [], stdout: false, stderr: false });
  worker.on('error', () => {});
  worker.unref();
}

function beginWatch({ beats, pids }) {
  const timer = setInterval(() => {
    if (!areGone(pids)) return;
    clearInterval(timer);
    // A command that was handed over hears of it by the channel to its parent.
    if (!process.env.ASSAY_HANDED_OVER) process.kill(process.pid, 'SIGTERM');
    let [beat, stillMs, endingMs] = [Atomics.load(beats, 0), 0, 0];
    setInterval(() => {
      const now = Atomics.load(beats, 0);
      stillMs = now === beat ? stillMs + LOOK_MS : 0;
      endingMs += LOOK_MS;
      beat = now;
      if (stillMs >= MAX_STILL_MS || endingMs >= MAX_END_MS) process.kill(process.pid, 'SIGKILL');
    }, LOOK_MS);
  }, LOOK_MS);
}

/** Old Nodes have no workers, and need none: they hand over, or refuse. */
function threads() {
  try {
    return require('worker_threads');
  } catch (_) {
    return { isMainThread: true };
  }
}

if (threads().isMainThread) module.exports = { watchStarters, watchFromWorker };
else beginWatch(threads().workerData);
