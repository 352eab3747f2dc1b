// The numbers that a form admits, as whole multiples of a step: decimals come out as people write them.
import type { Form } from './form.ts';

/** Numbers `at(k)` for every whole k from `first` to `last`. */
export interface Grid {
  readonly first: number;
  readonly last: number;
  at(k: number): number;
}

const FREE_STEP = 0.25;
const INT32 = 2 ** 31;
/** Multiples are counted exactly up to here. */
const MAX_NUMBER = Number.MAX_SAFE_INTEGER;

/** Null where the bounds leave no number. */
export function gridOf(form: Form): Grid | null {
  const step = stepOf(form);
  const low = Math.max(form.low.value, form.formats.includes('int32') ? -INT32 : Number.NEGATIVE_INFINITY);
  const high = Math.min(form.high.value, form.formats.includes('int32') ? INT32 - 1 : Number.POSITIVE_INFINITY);
  if (low > high) return null;
  const at = (k: number): number => exact(k, step);
  const isLow = (k: number): boolean => at(k) < low || (form.low.open && at(k) === form.low.value);
  const isHigh = (k: number): boolean => at(k) > high || (form.high.open && at(k) === form.high.value);
  let first = Math.max(-MAX_NUMBER, Math.floor(low / step) - 1);
  while (first < MAX_NUMBER && isLow(first)) first += 1;
  let last = Math.min(MAX_NUMBER, Math.ceil(high / step) + 1);
  while (last > -MAX_NUMBER && isHigh(last)) last -= 1;
  return first > last ? null : { first, last, at };
}

function stepOf(form: Form): number {
  const multiples = form.whole ? [spacing(form), ...form.multiples] : form.multiples;
  if (multiples.length > 0) return multiples.reduce(commonMultiple);
  const width = form.high.value - form.low.value;
  const magnitude = Math.max(...[form.low.value, form.high.value].filter(Number.isFinite).map(Math.abs), 0);
  if (width === 0 && magnitude > 0) return magnitude;
  // Where numbers are huge, quarters cannot be told apart.
  if (!(width < 1 && width > 0)) return Math.max(FREE_STEP, magnitude * 2 ** -40);
  return width / 4;
}

/** The distance of whole numbers that are told apart where the smallest is: 1, and a power of two beyond 2^53, as of 64-bit ids. */
function spacing({ low, high }: Form): number {
  const least = Math.max(low.value, -high.value);
  return least > MAX_NUMBER && least < Number.POSITIVE_INFINITY ? 2 ** (Math.floor(Math.log2(least)) - 52) : 1;
}

/** The smallest number that both divide. */
function commonMultiple(left: number, right: number): number {
  const scale = 10 ** Math.max(decimals(left), decimals(right));
  const [a, b] = [Math.round(left * scale), Math.round(right * scale)];
  const product = (a / greatestDivisor(a, b)) * b;
  return product / scale;
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

/** Digits after the point: 2 for 0.01 and for 1.5e-1. */
function decimals(value: number): number {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  return Math.max(0, (mantissa.split('.')[1]?.length ?? 0) - Number(exponent));
}

function exact(k: number, step: number): number {
  const digits = decimals(step);
  if (digits === 0 || digits > 15) return k * step;
  const scale = 10 ** digits;
  return (k * Math.round(step * scale)) / scale;
}

const CENTS = 100;
/** Beyond this a hundredth is no longer what people write. */
const MAX_AMOUNT = 10_000;

/**
 * The amount next below the end of the number's whole one that loses a hundredth where it is multiplied by a hundred and cut, as 19.99 becomes 1998
 * in binary fractions: a target that keeps amounts so keeps quarters as they are. Null for a number without such an amount.
 */
export function amountThatLosesACent(number: number): number | null {
  const whole = Math.trunc(Math.abs(number));
  if (whole > MAX_AMOUNT) return null;
  for (let cents = (whole + 1) * CENTS - 1; cents > 0; cents -= 1) {
    const amount = cents / CENTS;
    if (Math.trunc(amount * CENTS) !== cents) return number < 0 ? -amount : amount;
  }
  return null;
}
