// A run against a target that is a function, in virtual time: it knows nothing of the target but its description.
import { loadDescriptions } from '../../src/cli/conform/descriptions.ts';
import { type SimulatedClock, simulatedClock } from '../../src/clock/simulated.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { Report } from '../../src/contract/report.ts';
import { conform } from '../../src/run/perform/conform.ts';
import { chanceOf } from '../../src/simulation/chance.ts';
import { SimulatedSocket } from '../../src/simulation/conform-in-memory.ts';
import { Outages } from '../../src/simulation/outages.ts';
import { WORLDS } from '../../src/simulation/worlds.ts';
import { optionsWith } from '../support/run/test-config.ts';
import { filesOf, type TargetOptions } from './target.ts';
import type { Answer, Asked } from './things.ts';

const HOST = 'things.simulated';

interface Network {
  /** What a message takes on its way. ms. */
  readonly oneWayMs?: number | undefined;
  /** Whether the answer to this request is lost on its way. */
  readonly isLost?: ((request: Asked) => boolean) | undefined;
  readonly stop?: AbortSignal;
}

/** The report of the run. */
export async function judgedInMemory(
  described: TargetOptions,
  answerTo: (request: Asked) => Answer,
  given: Parameters<typeof optionsWith>[0] = {},
  clock: SimulatedClock = simulatedClock(),
  { oneWayMs = 0.5, isLost = () => false, stop = new AbortController().signal }: Network = {},
): Promise<Report> {
  const latency = { least: oneWayMs, most: oneWayMs, slowShare: 0, slowMs: 0 };
  const route = {
    ...{ clock, host: HOST, world: { ...WORLDS.calm, latency } },
    ...{ chance: chanceOf(1, 'network'), outages: new Outages(chanceOf(1, 'outages'), null) },
    platform: {
      receive({ method, url, headers, body }, onAnswer) {
        const headerOf = (wanted: string): string | undefined => {
          const at = headers.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === wanted);
          return at < 0 ? undefined : headers[at + 1];
        };
        const [authorization, contentType] = [headerOf('authorization'), headerOf('content-type')];
        const request = { method, url, body: body ?? '', authorization, contentType, token: headerOf('x-token') };
        const answer = answerTo(request);
        const text = answer.body === undefined ? '' : JSON.stringify(answer.body);
        const told =
          text === '' ? [] : ['content-type', 'application/json', 'content-length', `${Buffer.byteLength(text)}`];
        const located = answer.location === undefined ? [] : ['location', answer.location];
        const { status } = answer;
        onAnswer(isLost(request) ? null : { status, headers: [...told, ...located], body: Buffer.from(text) });
      },
    },
  } satisfies ConstructorParameters<typeof SimulatedSocket>[0];
  const files = await filesOf(`http://${HOST}`, described);
  try {
    const config = await loadConfig({ file: files.config, baseUrl: null, env: {}, cwd: process.cwd() });
    if (config === null) throw new Error('the target has a configuration');
    const descriptions = await loadDescriptions(config);
    const run = conform({
      ...{ config, descriptions, options: optionsWith({ runId: '20260131-120000-9f3a2b', ...given }) },
      ...{ clock, stop },
      ...{ open: () => new SimulatedSocket(route), random: chanceOf(1, 'jitter').next },
    });
    return await clock.drive(run);
  } finally {
    await files.remove();
  }
}
