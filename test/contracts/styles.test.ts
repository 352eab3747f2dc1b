// Lives of things in the styles that teams keep things in: each defect of the store below fails by its clause in every style, no style is blamed,
// and a run leaves every store as it found it.
import { expect, it } from 'vitest';
import type { Report } from '../../src/contract/report.ts';
import { judgedByContract } from './in-memory.ts';
import { STYLES } from './styles.ts';
import { STYLE_CASES, type StyleName } from './styles-cases.ts';
import { firstBooks, stylesApi } from './styles-server.ts';
import { contractTable } from './table.ts';

const LIVES = ['LIFE-01', 'LIFE-02', 'LIFE-03', 'LIFE-04', 'LIFE-05', 'LIFE-06', 'LIFE-07'];
const PROMOTED = [`promote: [${LIVES.join(', ')}]`];

/** A sound store is judged once by the whole family: each of its clauses is read from the same run. */
const sound = new Map<string, Promise<Report>>();

contractTable('books in many styles', ({ style, ways, is }, asking) => {
  const judged = () => judgedByContract(stylesApi(STYLES[style], ways), asking, PROMOTED);
  if (is === 'defect') return judged();
  const name = JSON.stringify([style, asking]);
  const known = sound.get(name) ?? judged();
  sound.set(name, known);
  return known;
});

it.each(Object.keys(STYLES) as StyleName[])(
  'what others have stays as it is, and nothing is left: %s',
  async (name) => {
    const store = firstBooks(STYLES[name]);
    const { created } = await judgedByContract(stylesApi(STYLES[name], {}, store));
    expect(store).toEqual(firstBooks(STYLES[name]));
    expect(created).toMatchObject({ left: 0 });
    expect(created?.made).toBeGreaterThan(0);
  },
);

it.each(STYLE_CASES.filter(({ ways }) => 'keepsDeleted' in ways))(
  'what stays is told: $style',
  async ({ style, ways }) => {
    const store = firstBooks(STYLES[style]);
    const { created } = await judgedByContract(stylesApi(STYLES[style], ways, store), { clauses: LIVES });
    expect(created?.left).toBe(store.length - firstBooks(STYLES[style]).length);
  },
);
