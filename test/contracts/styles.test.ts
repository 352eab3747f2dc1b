// Lives of things in the styles that teams keep things in: each defect of the store below fails by its clause in every style, no style is blamed,
// and a run leaves every store as it found it.
import { expect, it } from 'vitest';
import { judgedByContract } from './in-memory.ts';
import { STYLES } from './styles.ts';
import { STYLE_CASES, type StyleName } from './styles-cases.ts';
import { firstBooks, stylesApi } from './styles-server.ts';
import { contractTable } from './table.ts';

const PROMOTED = ['promote: [LIFE-01, LIFE-02, LIFE-03, LIFE-04, LIFE-05, LIFE-06, LIFE-07]'];

contractTable('books in many styles', ({ style, ways }, asking) =>
  judgedByContract(stylesApi(STYLES[style], ways), asking, PROMOTED),
);

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
    const { created } = await judgedByContract(stylesApi(STYLES[style], ways, store));
    expect(created?.left).toBe(store.length - firstBooks(STYLES[style]).length);
  },
);
