// Secrets that reports cannot hide wherever they stand: those that consist of words, for a report must show the names of plans and
// operations even where a key shares them, and those that are too short to be told from words and numbers.
import type { Config } from '../../config/config.ts';
import { createRedactor } from '../../exchange/redaction.ts';
import { MIN_SECRET_CHARS, MIN_WORD_CHARS } from '../../exchange/secrets/known-secrets.ts';
import type { Description } from '../../openapi/model/operation.ts';

/** "key std-1 (the names of plans)", for each secret that shares eight characters or more with names that reports show. */
export function wordySecrets(config: Config, descriptions: readonly Description[]): readonly string[] {
  const { keys, services, target } = config;
  const operations = descriptions.flatMap((description) => description.operations);
  const shown: readonly (readonly [what: string, names: readonly string[]])[] = [
    ['the names of plans', keys.map(({ plan }) => plan)],
    ['the names of keys', keys.map(({ name }) => name)],
    ['the names of services', services.map(({ name }) => name)],
    ['the names of operations', operations.map(({ key }) => key)],
    ['the address of the target', [target.baseUrl]],
  ];
  return config.secrets.flatMap((secret) => {
    const redactor = createRedactor([secret]);
    const shared = shown.filter(([, names]) => names.some((name) => redactor.conceal(name) !== name));
    return shared.length === 0 ? [] : [`${secret.name} (${shared.map(([what]) => what).join(', ')})`];
  });
}

/** The advice for secrets that consist of words. */
export const WORDY_ADVICE =
  'reports show these names, and so the secret, or eight characters and more of it: use one that is random';

/** How far each secret is hidden that is too short to be hidden everywhere, as a sentence. */
export function shortSecrets({ secrets }: Pick<Config, 'secrets'>): readonly string[] {
  return secrets
    .filter(({ value }) => value.length < MIN_SECRET_CHARS && value !== '')
    .map(({ name, value }) => {
      const where = value.length < MIN_WORD_CHARS ? 'where it is a whole header or text' : 'as a whole word';
      return `${name} has fewer than ${MIN_SECRET_CHARS} characters: where the target repeats it, reports hide it only ${where}`;
    });
}
