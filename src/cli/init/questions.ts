// What `assay init` asks a person at a terminal: what flags would say otherwise.
import type { Readable, Writable } from 'node:stream';
import { confirm, isCancel, select, text } from '@clack/prompts';
import { isHttpUrl } from '../../config/http-url.ts';
import type { ContractName } from '../../contract/contract.ts';
import { NoVerdict } from '../process/failure.ts';

export interface Terminal {
  readonly input: Readable;
  readonly output: Writable;
}

export interface Answers {
  readonly baseUrl: string;
  readonly environment: string;
  readonly contract: ContractName;
  /** null: what goes without saying in the environment. */
  readonly mutations: 'allow' | 'deny' | null;
  /** By service; a service of the contract that is not named has the description that the package ships. */
  readonly spec: Readonly<Record<string, string>>;
}

const DEFAULT_URL = 'http://127.0.0.1:8080';
const OF_ANY_SERVICE = 'openapi.yaml';

/** The answers. Throws NoVerdict where the person went away: nothing is written. */
export async function ask(terminal: Terminal): Promise<Answers> {
  const baseUrl = await answered(
    text({
      ...terminal,
      message: 'What is the address of the target?',
      placeholder: DEFAULT_URL,
      defaultValue: DEFAULT_URL,
      validate: (value) => (!value || isHttpUrl(value) ? undefined : 'Expected an http or https URL.'),
    }),
  );
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
  const contract = await answered(
    select<ContractName>({
      ...terminal,
      message: 'What is it judged by?',
      options: [
        { value: 'commerce', label: "the platform's contract", hint: 'services admin, store, ai' },
        { value: 'openapi', label: 'its OpenAPI description alone', hint: 'any other service' },
      ],
    }),
  );
  const spec = contract === 'openapi' ? { api: await anyDescription(terminal) } : await adminDescription(terminal);
  return { baseUrl, environment, contract, spec, mutations: environment === 'local' ? null : await changes(terminal) };
}

/** Whether the person says yes; who goes away does not. */
export async function allows(message: string, terminal: Terminal): Promise<boolean> {
  return (await confirm({ ...terminal, message, initialValue: true })) === true;
}

function anyDescription(terminal: Terminal): Promise<string> {
  const message = 'Where is its OpenAPI description? A file, or a URL.';
  return answered(text({ ...terminal, message, placeholder: OF_ANY_SERVICE, defaultValue: OF_ANY_SERVICE }));
}

async function adminDescription(terminal: Terminal): Promise<Answers['spec']> {
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
