// Two ways of sending the same requests, side by side: requests per second of each, and the one over the other.

export interface Timed {
  readonly requests: number;
  readonly seconds: number;
}

export interface Pair {
  readonly ours: Timed;
  readonly bare: Timed;
}

export function rate({ requests, seconds }: Timed): number {
  return requests / seconds;
}

/** Our rate over the bare one, in all rounds together. */
export function ratio(pairs: readonly Pair[]): number {
  return rate(total(pairs.map(({ ours }) => ours))) / rate(total(pairs.map(({ bare }) => bare)));
}

function total(parts: readonly Timed[]): Timed {
  return {
    requests: parts.reduce((sum, { requests }) => sum + requests, 0),
    seconds: parts.reduce((sum, { seconds }) => sum + seconds, 0),
  };
}

export function pairLine(name: string, round: number, { ours, bare }: Pair): string {
  const side = (label: string, timed: Timed) =>
    `${label} ${rate(timed).toFixed(0)}/s (${timed.requests} in ${timed.seconds.toFixed(2)} s)`;
  return `round ${round}  ${side(name, ours)}  ${side('bare undici', bare)}  ratio ${ratio([{ ours, bare }]).toFixed(2)}`;
}
