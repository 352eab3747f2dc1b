// Which of n instances an execution segment makes it. Pure.

/** "0,1/3,2/3,1": the sequence that all instances of a run are given. */
export function sequenceOf(instances: number): string {
  return Array.from({ length: instances + 1 }, (_, at) => part(at, instances)).join(',');
}

/** The segment of the n-th instance, from 1 on: "1/3:2/3". */
export function segmentOf(instance: number, instances: number): string {
  return `${part(instance - 1, instances)}:${part(instance, instances)}`;
}

/** Which instance of so many has the segment, from 1 on; null where none has. k6 reduces fractions: "1/4:1/2". */
export function instanceOf(segment: string, instances: number): number | null {
  const ends = segment.split(':').map(fractionOf);
  const found = Array.from({ length: instances }, (_, at) => at).find((at) =>
    [at, at + 1].every((end, index) => Math.abs((ends[index] ?? Number.NaN) - end / instances) < 1e-9),
  );
  return found === undefined || ends.length !== 2 ? null : found + 1;
}

function part(at: number, instances: number): string {
  if (at === 0) return '0';
  return at === instances ? '1' : `${at}/${instances}`;
}

/** NaN for what is no fraction. */
function fractionOf(text: string): number {
  const [, above, below = '1'] = /^(\d+)(?:\/(\d+))?$/.exec(text) ?? [];
  return above === undefined ? Number.NaN : Number(above) / Number(below);
}
