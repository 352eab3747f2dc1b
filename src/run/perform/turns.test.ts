import { expect, it } from 'vitest';
import { Turns } from './sender.ts';

/** Works whose beginnings and ends are noted, each ended by its name. */
function bench() {
  const turns = new Turns();
  const told: string[] = [];
  const open = new Map<string, () => void>();
  const begin = (name: string, isAlone = false): Promise<void> =>
    turns.take(isAlone, () => {
      told.push(name);
      return new Promise((resolve) => open.set(name, resolve));
    });
  const end = async (name: string): Promise<void> => {
    open.get(name)?.();
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  return { turns, told, begin, end };
}

it('works begin at once side by side where none goes alone', () => {
  const { told, begin } = bench();
  void begin('a');
  void begin('b');
  expect(told).toEqual(['a', 'b']);
});

it('one that goes alone waits for those under way, and those after it wait for it', async () => {
  const { told, begin, end } = bench();
  void begin('a');
  void begin('alone', true);
  void begin('b');
  void begin('alone too', true);
  void begin('c');
  await end('nobody');
  expect(told).toEqual(['a']);
  await end('a');
  expect(told).toEqual(['a', 'alone']);
  await end('alone');
  expect(told).toEqual(['a', 'alone', 'b']);
  await end('b');
  expect(told).toEqual(['a', 'alone', 'b', 'alone too']);
  await end('alone too');
  expect(told.at(-1)).toBe('c');
});

it('one that fails lets the next go', async () => {
  const { turns } = bench();
  const failing = turns.take(true, () => Promise.reject(new Error('cut')));
  await expect(failing).rejects.toThrow('cut');
  await expect(turns.take(false, async () => 'goes')).resolves.toBe('goes');
});
