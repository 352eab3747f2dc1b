// Asks a person at a terminal, for `assay init`, what flags would say otherwise.
import type { Readable, Writable } from 'node:stream';
import { confirm, isCancel, select, text } from '@clack/prompts';
import { isHttpUrl } from '../../config/http-url.ts';
import type { ContractName } from '../../contract/contract.ts';
import { NoVerdict } from '../process/failure.ts';

export interface Terminal {
  readonly input: Readable;
  readonly output: Writable;
}

/** The answers of the person, as flags would give them. */
export interface Answers {
  readonly contract: ContractName;
  /** A file or a URL: an API that is judged by it alone. */
  readonly description?: string;
  /** Absent: as the description says. */
  readonly baseUrl?: string;
  readonly environment?: string;
  /** Absent: what goes without saying in the environment. */
  readonly mutations?: 'allow' | 'deny';
  /** The description of each service; a service of the contract that is not named has the description that the package ships. */
  readonly spec?: Readonly<Record<string, string>>;
}

const DEFAULT_URL = 'http://127.0.0.1:8080';
const ANY_DESCRIPTION = 'openapi.yaml';

/** The answers. Throws NoVerdict where the person went away: nothing is written. */
export async function ask(terminal: Terminal): Promise<Answers> {
  const contract = await answered(
    select<ContractName>({
      ...terminal,
      message: 'What is it judged by?',
      options: [
        { value: 'openapi', label: 'its OpenAPI description alone', hint: 'any service' },
        { value: 'commerce', label: "the platform's contract", hint: 'services admin, store, ai' },
      ],
    }),
  );
  return contract === 'openapi' ? askAny(terminal) : askPlatform(terminal);
}

async function askAny(terminal: Terminal): Promise<Answers> {
  const message = 'Where is its OpenAPI description? A file, or a URL.';
  const description = await answered(
    text({ ...terminal, message, placeholder: ANY_DESCRIPTION, defaultValue: ANY_DESCRIPTION }),
  );
  const baseUrl = await address(terminal, 'as the description says', '');
  return { contract: 'openapi', description, ...(baseUrl === '' ? {} : { baseUrl }) };
}

async function askPlatform(terminal: Terminal): Promise<Answers> {
  const baseUrl = await address(terminal, DEFAULT_URL, DEFAULT_URL);
  const environment = await answered(
    select({
      ...terminal,
      message: 'What is it?',
      options: [
        { value: 'staging' },
        { value: 'local', hint: 'on this machine: requests may change what is there' },
        { value: 'production' },
      ],
    }),
  );
  const spec = await adminDescription(terminal);
  const answers = { contract: 'commerce', baseUrl, environment, spec } as const;
  return environment === 'local' ? answers : { ...answers, mutations: await changes(terminal) };
}

function address(terminal: Terminal, placeholder: string, defaultValue: string): Promise<string> {
  return answered(
    text({
      ...{ ...terminal, placeholder, defaultValue },
      message: 'What is the address of the target?',
      validate: (value) => (!value || isHttpUrl(value) ? undefined : 'Expected an http or https URL.'),
    }),
  );
}

/** Asks the person; resolves with true for a yes. A person who goes away did not say yes. */
export async function allows(message: string, terminal: Terminal): Promise<boolean> {
  return (await confirm({ ...terminal, message, initialValue: true })) === true;
}

async function adminDescription(terminal: Terminal): Promise<Readonly<Record<string, string>>> {
  const message = 'Where is the OpenAPI description of the admin service? A file, or a URL.';
  const admin = await answered(
    text({ ...terminal, message, placeholder: 'the one that Assay ships', defaultValue: '' }),
  );
  return admin === '' ? {} : { admin };
}

function changes(terminal: Terminal): Promise<'allow' | 'deny'> {
  return answered(
    select<'allow' | 'deny'>({
      ...terminal,
      message: 'May requests change something there?',
      options: [
        { value: 'deny', label: 'no', hint: 'GET, HEAD and OPTIONS alone' },
        { value: 'allow', label: 'yes', hint: 'what a run creates it deletes again, where that is described' },
      ],
    }),
  );
}

async function answered<T>(asking: Promise<T>): Promise<Exclude<T, symbol>> {
  const answer = await asking;
  if (isCancel(answer))
    throw new NoVerdict('assay init: interrupted, nothing is written', 'assay init --yes asks nothing');
  return answer as Exclude<T, symbol>;
}
