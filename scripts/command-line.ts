// How scripts and benches refuse what they were given.

/** Tells why on stderr, and ends the process with 2. */
export function refuse(why: string): never {
  console.error(why);
  process.exit(2);
}

/** The number that an option was given. Ends the process with 2 for anything but a whole number from 1. */
export function wholeNumber(option: string, text: string): number {
  const number = Number(text);
  return Number.isInteger(number) && number >= 1
    ? number
    : refuse(`${option} ${text} is no whole number from 1: for example ${option} 3`);
}
