// Two ways of sending the same requests, side by side: requests per second of each, and the one over the other. The
// processor time of this process is told too: other work on the machine disturbs it less.

export interface Timed {
  readonly requests: number;
  readonly seconds: number;
  /** Processor time of this process, all threads. */
  readonly cpuSeconds: number;
}

export interface Pair {
  readonly ours: Timed;
  readonly bare: Timed;
}

/** What the work took; it resolves with the number of its requests. */
export async function timed(work: () => Promise<number>): Promise<Timed> {
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const requests = await work();
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { requests, seconds, cpuSeconds: (user + system) / 1e6 };
}

/** Our rate over the bare one, in all rounds together. */
export function ratio(pairs: readonly Pair[]): number {
  return rate(pairs.map(({ ours }) => ours)) / rate(pairs.map(({ bare }) => bare));
}

function rate(parts: readonly Timed[]): number {
  const total = (of: (part: Timed) => number) => parts.reduce((sum, part) => sum + of(part), 0);
  return total(({ requests }) => requests) / total(({ seconds }) => seconds);
}

export function pairLine(name: string, round: number, { ours, bare }: Pair): string {
  const side = (label: string, one: Timed) =>
    `${label} ${rate([one]).toFixed(0)}/s (${one.requests} in ${one.seconds.toFixed(2)} s, cpu ${one.cpuSeconds.toFixed(2)} s)`;
  return `round ${round}  ${side(name, ours)}  ${side('bare undici', bare)}  ratio ${ratio([{ ours, bare }]).toFixed(2)}`;
}
