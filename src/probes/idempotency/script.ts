// The commands of a series, as data: what fast-check draws and shrinks.
import * as fc from 'fast-check';

/** Keys of a series are numbered; each has a body of its own. */
export type Step =
  | { readonly act: 'send'; readonly key: number }
  /** The key so many times at once, each `apartMs` after the one before. */
  | { readonly act: 'together'; readonly key: number; readonly times: number; readonly apartMs: number }
  /** A number of calls of other kinds: other keys, reads, other changes. */
  | { readonly act: 'others'; readonly calls: number }
  /** The effect of the key's first send is changed, or deleted. */
  | { readonly act: 'change'; readonly key: number }
  | { readonly act: 'remove'; readonly key: number };

export type Script = readonly Step[];

const KEYS = 3;
const APART_MS = 4;

/** How often each step is drawn, how many sends go at once, and how many calls of others stand between. */
interface Drawing {
  readonly send: number;
  readonly together: number;
  readonly touch: number;
  readonly maxTogether: number;
  readonly maxOthers: number;
}

function stepsOf({ send, together, touch, maxTogether, maxOthers }: Drawing): fc.Arbitrary<Step> {
  const key = fc.nat(KEYS - 1);
  const onKey = <A extends Step['act']>(act: A) => fc.record({ act: fc.constant(act), key });
  const apartMs = fc.integer({ min: 0, max: APART_MS });
  const times = fc.integer({ min: 2, max: maxTogether });
  return fc.oneof(
    { weight: send, arbitrary: onKey('send') },
    { weight: together, arbitrary: fc.record({ act: fc.constant('together'), key, times, apartMs }) },
    { weight: 1, arbitrary: fc.record({ act: fc.constant('others'), calls: fc.nat(maxOthers) }) },
    { weight: touch, arbitrary: onKey('change') },
    { weight: touch, arbitrary: onKey('remove') },
  );
}

/** Any series within the bounds; what is drawn of itself is short, given examples may go to the bounds. */
export const scripts: fc.Arbitrary<Step[]> = fc.array(
  stepsOf({ send: 5, together: 2, touch: 1, maxTogether: 16, maxOthers: 60 }),
  { maxLength: 40 },
);

/** Short series of sends, bursts and a few other calls. */
export const shortScripts: fc.Arbitrary<Step[]> = fc.array(
  stepsOf({ send: 4, together: 1, touch: 0, maxTogether: 3, maxOthers: 3 }),
  { minLength: 4, maxLength: 8 },
);

export const send = (key = 0): Step => ({ act: 'send', key });
export const together = (times: number, key = 0, apartMs = 0): Step => ({ act: 'together', key, times, apartMs });
export const others = (calls: number): Step => ({ act: 'others', calls });
export const change = (key = 0): Step => ({ act: 'change', key });
export const remove = (key = 0): Step => ({ act: 'remove', key });

/** The series in words: "send A, 12 other calls, send A". */
export function inWords(script: Script): string {
  const name = (key: number): string => String.fromCharCode(65 + key);
  return script
    .map((step) => {
      if (step.act === 'send') return `send ${name(step.key)}`;
      if (step.act === 'others') return `${step.calls} other calls`;
      if (step.act === 'change' || step.act === 'remove') return `${step.act} what ${name(step.key)} made`;
      const apart = step.apartMs === 0 ? '' : `, ${step.apartMs} ms apart`;
      return `send ${name(step.key)} ${step.times} times at once${apart}`;
    })
    .join(', ');
}
