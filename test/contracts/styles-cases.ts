// What a store of books does wrong below each style, and that no style is blamed for itself.
import type { ContractCase } from './cases.ts';
import { type Defect, STYLES, USUAL } from './styles.ts';

export type StyleName = keyof typeof STYLES;

export interface StyleCase extends ContractCase<Defect> {
  readonly style: StyleName;
}

const DEFECTS = [
  ['LIFE-01', 'what is created is nowhere', { creates: () => null }],
  ['LIFE-01', 'the list leaves out what was created', { hidesNew: true }],
  ['LIFE-02', 'a create keeps another title', { creates: (members) => ({ ...members, title: 'Untitled' }) }],
  ['LIFE-02', 'updates are answered and not kept', { writes: (before) => before }],
  [
    'LIFE-03',
    'a PATCH sets back what it does not send',
    { patches: ({ title }, sent) => ({ title, ...USUAL, ...sent }) },
  ],
  ['LIFE-04', 'what is deleted stays', { keepsDeleted: true }],
] as const satisfies readonly (readonly [string, string, Defect])[];

/** Where a style leaves no ground for the clause: what was accepted alone may come to nothing, or to something else. */
function isShownBy(style: StyleName, [clause, , ways]: (typeof DEFECTS)[number]): boolean {
  if (STYLES[style].created.status === 202 && 'creates' in ways) return false;
  return clause !== 'LIFE-03' || STYLES[style].routes.change !== undefined;
}

export const STYLE_CASES: readonly StyleCase[] = (Object.keys(STYLES) as StyleName[]).flatMap((style) => [
  ...DEFECTS.filter((defect) => isShownBy(style, defect)).map(
    ([clause, text, ways]) => ({ clause, is: 'defect', text, ways, style }) as const,
  ),
  ...['LIFE-01', 'LIFE-02', 'LIFE-04'].map(
    (clause) => ({ clause, is: 'oddity', text: 'sound', ways: {}, style }) as const,
  ),
]);
