// The defaults that the schema of the configuration states, and its reference shows, are those that the program takes.
import { expect, test } from 'vitest';
import { configurationKeys } from '../scripts/configuration-page.ts';
import { checkConfig } from '../src/config/load.ts';
import { capacitySettings } from '../src/load/capacity/settings.ts';
import { isolationSettings } from '../src/load/isolation/schedule.ts';
import { pressureWish } from '../src/load/pressure/pressure.ts';
import { capsOf } from '../src/load/safety.ts';
import { soakWish } from '../src/load/soak/settings.ts';
import { spikeWish } from '../src/load/spike/settings.ts';

const config = checkConfig({ target: { baseUrl: 'http://127.0.0.1:8080' } }, 'assay.config.yaml', {
  baseUrl: null,
  env: {},
});
const { objectives, search } = capacitySettings(config);
const { peak: _computed, ...spike } = spikeWish(config);
const { rate: _dependent, ...pressure } = pressureWish(config);

test.each([
  ['load.objectives', objectives],
  ['load.capacity', { ...search, mostRate: undefined }],
  ['load.caps', capsOf(config)],
  ['load.soak', { rate: soakWish(config).ratePerSecond, seconds: soakWish(config).seconds }],
  ['load.spike', spike],
  ['load.pressure', pressure],
  ['load.isolation', { seconds: isolationSettings(config).phaseMs / 1000 }],
  ['limits.created', config.limits.created],
  ['evidence', config.evidence],
])('%s has the defaults of the schema', (path, taken) => {
  expect(taken).toMatchObject(stated(path));
  expect(Object.keys(stated(path)).sort()).toEqual(
    Object.entries(taken)
      .flatMap(([name, value]) => (value === undefined ? [] : [name]))
      .sort(),
  );
});

function stated(path: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    configurationKeys().flatMap(({ path: at, part }) =>
      at.startsWith(`${path}.`) && part.default !== undefined ? [[at.slice(path.length + 1), part.default]] : [],
    ),
  );
}
