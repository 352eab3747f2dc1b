// How scripts and benches read what they were given, and refuse it.
import { type ParseArgsConfig, parseArgs } from 'node:util';

/** Tells why on stderr, and ends the process with 2. */
export function refuse(why: string): never {
  console.error(why);
  process.exit(2);
}

/** What stands on the command line. Ends the process with 2 for what is not expected there; `usage` is the line that is right. */
export function readArguments<T extends ParseArgsConfig>(usage: string, expected: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(expected);
  } catch (error) {
    // Behind its first sentence Node tells how to do what nobody wanted.
    const [why = ''] = (error as Error).message.split('. ');
    return refuse(`${why.replace(/\.$/, '')}\nusage: ${usage}`);
  }
}

/** The number that an option was given. Ends the process with 2 for anything but a whole number from 1. */
export function wholeNumber(option: string, text: string): number {
  const number = Number(text);
  return Number.isInteger(number) && number >= 1
    ? number
    : refuse(`${option} ${text} is no whole number from 1: for example ${option} 3`);
}
