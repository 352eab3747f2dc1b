// VER-01 on one reading operation: the same call with headers that carry a version.
import { judgeVersionIgnored } from '../checks/ver/ignored-version.ts';
import type { Exchange, HeaderList } from '../exchange/exchange.ts';
import { outcome } from './experiment.ts';
import type { Course, Experiment } from './probe.ts';
import { planOf } from './recipe.ts';
import { drawFor, mutates, type Reached, type World } from './world.ts';

const VERSION_HEADERS: HeaderList = [
  ['X-API-Version', '2'],
  ['API-Version', '2099-01-01'],
  ['Accept-Version', '2.0.0'],
  ['X-Version', 'v2'],
  ['Version', '2'],
  ['Stripe-Version', '2099-01-01'],
];
const PAIRS = 3;

/** All headers at once in the lean pass, each alone (with an old and a new value) in depth. */
export function versionExperiments(world: World, reached: Reached): readonly Experiment[] {
  if (mutates(reached.operation) || reached.proof === null) return [];
  const alone = VERSION_HEADERS.map((header) => [header]);
  return [VERSION_HEADERS, ...alone].map((headers, index) => ({
    probe: `version/${index === 0 ? 'all' : headers[0]?.[0]}`,
    stage: index === 0 ? 'lean' : 'depth',
    rank: index === 0 ? 68 : 50,
    clauses: ['VER-01'],
    service: reached.operation.service,
    operation: reached.operation.key,
    cost: 2,
    repeatable: false,
    run: () => versionCourse(world, reached, headers),
  }));
}

function* versionCourse(world: World, reached: Reached, headers: HeaderList): Course {
  const plain = planOf(reached.recipe, 'version/none', drawFor(world, 'version'));
  const versioned = { ...plain, probe: 'version/header', headers: [...plain.headers, ...headers] };
  const pairs: [Exchange, Exchange][] = [];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const first = (yield plain).last;
    const second = (yield versioned).last;
    pairs.push([first, second]);
    if (judgeVersionIgnored(pairs).kind !== 'breached') break;
  }
  return [outcome('VER-01', plain, judgeVersionIgnored(pairs), pairs.flat())];
}
