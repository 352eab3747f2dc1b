// Tells whether a number is a multiple of another one as both are written in decimals, whatever their binary fractions are.

/**
 * Up to so large a quotient, one that is nearly whole is a whole one: sums of 0.1 end in 0.30000000000000004. More of it is lost where it is
 * large, by no more than this share.
 */
const [MAX_ROUNDED_QUOTIENT, MAX_ROUNDING, MAX_ROUNDING_SHARE] = [1e9, 1e-9, 2 ** -48];

/** 19.99 is a multiple of 0.01. `step` is above 0. Source: JSON Schema 2020-12, validation, 6.2.1. */
export function isMultipleOf(value: number, step: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(step)) return value % step === 0;
  const quotient = value / step;
  const rounding = MAX_ROUNDING + Math.abs(quotient) * MAX_ROUNDING_SHARE;
  if (Math.abs(quotient) < MAX_ROUNDED_QUOTIENT) return Math.abs(Math.round(quotient) - quotient) <= rounding;
  return Number.isFinite(value) && isDecimalMultiple(decimalOf(value), decimalOf(step));
}

interface Decimal {
  readonly digits: bigint;
  /** The value is digits times ten to this power. */
  readonly exponent: number;
}

/** The shortest decimal that is read back as the number, as it is written in JSON. */
function decimalOf(value: number): Decimal {
  const [mantissa = '0', exponent = '0'] = value.toExponential().split('e');
  const [whole, fraction = ''] = mantissa.split('.');
  return { digits: BigInt(`${whole}${fraction}`), exponent: Number(exponent) - fraction.length };
}

function isDecimalMultiple(value: Decimal, step: Decimal): boolean {
  const exponent = Math.min(value.exponent, step.exponent);
  return scaled(value, exponent) % scaled(step, exponent) === 0n;
}

function scaled({ digits, exponent }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to);
}
