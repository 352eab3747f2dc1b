// Keeps secrets out of everything that is recorded, reported or logged.
import { KnownSecrets, type Redactor, type Secret } from './secrets/known-secrets.ts';
import { RunTable } from './secrets/run-table.ts';

/** A redactor of these secrets, for any number of texts. */
export function createRedactor(secrets: Iterable<Secret> = []): Redactor {
  const redactor = new KnownSecrets(new RunTable());
  for (const secret of secrets) redactor.add(secret);
  return redactor;
}
