// The one place that runs a k6 script with a plan and streams its samples.
//
//   const generator = new Generator({ k6, folder, lane: 'std-1', stop, outputs, environment, conceal });
//   const step = await generator.measure({ script: 'requests', plan, planned: 500, timeLimitSeconds: 30, onSample });
//   if (step.incomplete !== null) … the step proves nothing, whatever k6's exit code says …
//
// A script is suites/load/NAME.ts. It reads its plan by open(__ENV.ASSAY_PLAN), JSON without secrets, and writes the lines of
// samples/line.ts by console.log: for every VU one `started` line at its end at least (the sum is how many requests were
// begun), and a `request` line for each request, or `histogram` lines that count them. Samples of all steps of a lane stay in
// FOLDER/samples-LANE.tsv, what `assay load --from` reads. Steps of one lane follow one another; lanes may run side by side.
import { stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { type Clock, haltsOf } from '../../clock/clock.ts';
import { systemClock, wallAheadMs } from '../../clock/system.ts';
import { PACKAGE_ROOT } from '../../contract/package-root.ts';
import { GrowingFile } from '../../disk/line-files.ts';
import { passingFile, removePassing } from '../../disk/passing.ts';
import { writeWhole } from '../../disk/whole-file.ts';
import { followSamples } from '../samples/follow.ts';
import type { Sample } from '../samples/line.ts';
import { incompleteness, type Sums, Tally } from '../samples/tally.ts';
import { type K6Ended, type K6Start, MAX_SILENCE_MS, startK6 } from './start.ts';

/** The file that holds a lane's samples. */
export function samplesPath(folder: string, lane: string): string {
  return join(folder, `samples-${lane}.tsv`);
}

export interface GeneratorOptions {
  /** Path of a k6 that fits. */
  readonly k6: string;
  /** Where plans and samples go; made when it is not there. */
  readonly folder: string;
  /** Name of the file of samples: letters, digits, '-', '_' and '.'. */
  readonly lane: string;
  /** Aborted: k6 is ended, and the step that runs resolves with what there is. */
  readonly stop: AbortSignal;
  /** k6's own outputs, as `--out` values. */
  readonly outputs: readonly string[];
  /** Secrets by the variables that the plan names; a function is asked before each step. They reach k6 by its environment only. */
  readonly environment: Readonly<Record<string, string>> | (() => Promise<Readonly<Record<string, string>>>);
  /** Certificates of authorities, as PEM, that k6 is to trust beside those of the system; absent: none. */
  readonly trust?: string | null;
  /** A line without any secret. */
  readonly conceal: (line: string) => string;
  /** Sees every sample of every step. */
  readonly watch: (sample: Sample) => void;
}

export interface Step {
  /** Name of a script of suites/load, without its ending. */
  readonly script: string;
  /** The plan that the script reads; JSON values. No secrets. */
  readonly plan: object;
  /** The most requests that the plan makes: more is an error, fewer may have been dropped or left out by the script. */
  readonly planned: number;
  /** k6 is ended after this. */
  readonly timeLimitSeconds: number;
  /** VUs that are there at once; absent: few. */
  readonly senders?: number;
  /** Every sample as it comes, in the order written. */
  readonly onSample: (sample: Sample) => void;
  /** Names of samples whose errors do not end k6; absent: none. */
  readonly endures?: (step: string) => boolean;
}

export interface Measured extends Sums {
  readonly ended: K6Ended;
  /** Planned and not begun. */
  readonly dropped: number;
  /** Why nothing can be concluded from the step; null where its samples are complete. */
  readonly incomplete: string | null;
  /** True where the step was ended for the target's errors. */
  readonly broken: boolean;
}

const DEFAULT_SENDERS = 64;

export class Generator {
  readonly #options: GeneratorOptions;
  readonly #clock: Clock;
  readonly #samples: GrowingFile;
  #offset: number | null = null;

  /** `clock`: that of the run, which sees by it that something is still to come. */
  constructor(options: GeneratorOptions, clock: Clock = systemClock) {
    this.#options = options;
    this.#clock = clock;
    this.#samples = new GrowingFile(samplesPath(options.folder, options.lane));
  }

  /** Adds the line of a sample that k6 did not measure. Throws `FileUnwritable`. */
  async append(line: string): Promise<void> {
    await this.#samples.append(line);
  }

  /** Runs one step to its end. Rejects only where k6 cannot be started or files cannot be written (`FileUnwritable`). */
  async measure(step: Step): Promise<Measured> {
    const { folder, k6, stop, outputs, environment, trust = null, conceal, watch } = this.#options;
    const variables = typeof environment === 'function' ? await environment() : environment;
    await this.#samples.ready();
    const offset = await this.#sizeNow();
    // Go has no other way to trust one more authority.
    const files = await passingFiles(folder, { ASSAY_PLAN: JSON.stringify(step.plan), SSL_CERT_FILE: trust });
    const tally = new Tally();
    const broken = new AbortController();
    let ended: K6Ended | null = null;
    const { asleepMs } = haltsOf(systemClock);
    const start: K6Start = {
      path: k6,
      script: scriptPath(step.script),
      samplesFile: this.#samples.path,
      env: { ...variables, ...files, ASSAY_WALL_AHEAD_MS: String(wallAheadMs()) },
      timeLimitSeconds: step.timeLimitSeconds,
      senders: step.senders ?? DEFAULT_SENDERS,
      stop: AbortSignal.any([stop, broken.signal]),
      ...{ outputs, conceal },
    };
    const running = startK6(start, this.#clock);
    const onSample = (sample: Sample): void => {
      tally.add(sample, step.endures?.(sample.step) === true);
      watch(sample);
      step.onSample(sample);
      if (tally.isBroken()) broken.abort();
    };
    const reading = followSamples(this.#samples.path, offset, () => ended !== null, onSample);
    reading.catch(() => broken.abort());
    try {
      ended = await running;
    } finally {
      ended ??= { exitCode: null, stopped: null, cpuSeconds: null, complaints: [] };
      this.#offset = await reading;
      await Promise.all(Object.values(files).map(removePassing));
    }
    // Requests that an interruption cuts off have no answer either: that is no error of the target.
    const isBroken = broken.signal.aborted && !stop.aborted;
    return concluded(ended, tally, step.planned, isBroken, haltsOf(systemClock).asleepMs - asleepMs);
  }

  /** Where the next step's samples begin: what others wrote to the file meanwhile is not the step's. */
  async #sizeNow(): Promise<number> {
    const size = await stat(this.#samples.path).then(
      (file) => file.size,
      () => 0,
    );
    return Math.max(size, this.#offset ?? 0);
  }
}

/** Writes each text to a file of its own; the paths by the variables that name them. */
async function passingFiles(
  folder: string,
  texts: Readonly<Record<string, string | null>>,
): Promise<Readonly<Record<string, string>>> {
  const paths: Record<string, string> = {};
  for (const [variable, text] of Object.entries(texts)) {
    if (text === null) continue;
    const { path } = passingFile(folder);
    await writeWhole(path, text);
    paths[variable] = path;
  }
  return paths;
}

function concluded(ended: K6Ended, tally: Tally, planned: number, broken: boolean, sleptMs: number): Measured {
  const sums = tally.sums();
  const dropped = Math.max(0, planned - sums.started);
  if (sleptMs > 0 && ended.stopped !== 'interrupted') {
    // Answers that did not come while the machine slept are no error of the target.
    const incomplete = `the machine slept for ${Math.round(sleptMs / 1000)} s while the step was measured`;
    return { ...sums, ended, dropped, broken: false, incomplete };
  }
  return { ...sums, ended, dropped, broken, incomplete: whyIncomplete(ended, sums, planned, broken) };
}

function whyIncomplete(ended: K6Ended, sums: Sums, planned: number, broken: boolean): string | null {
  if (ended.stopped === 'interrupted' && !broken) return 'the run was interrupted';
  if (broken)
    return `the target's errors ended the step: ${sums.unanswered} without an answer, ${sums.serverErrors} 5xx`;
  if (ended.stopped === 'silent') return `k6 told nothing for ${MAX_SILENCE_MS / 1000} s, and was ended`;
  if (ended.stopped === 'time-limit') return 'k6 did not end within its time limit';
  if (ended.stopped === 'interrupted') return 'the run was interrupted';
  const why = incompleteness(sums, planned);
  const [complaint] = ended.complaints.slice(-1);
  if (why === null) return ended.exitCode === 0 ? null : `k6 ended with ${ended.exitCode}: ${complaint ?? 'no word'}`;
  return complaint === undefined ? why : `${why} (k6: ${complaint})`;
}

/** The script as it stands beside these sources, or as it was compiled with them. */
export function scriptPath(name: string): string {
  const ending = extname(import.meta.filename);
  return join(ending === '.ts' ? PACKAGE_ROOT : join(PACKAGE_ROOT, 'dist'), 'suites', 'load', `${name}${ending}`);
}
