// The ERR laws over a run, each with an empty memory.
import type { Terms } from '../../contract/terms.ts';
import type { RunLaw } from '../run-law.ts';
import { docUrlBaseLaw } from './err-05.ts';
import { type FirstUses, requestIdLaw } from './err-06-request-ids.ts';

/** ERR-06, and ERR-05's one base where no {docs_url} is configured. Made once a run and fed with every exchange. */
export function errRunLaws(
  { errors }: Pick<Terms, 'errors'>,
  docsUrl: string | null,
  firstUses?: FirstUses,
): readonly RunLaw[] {
  if (errors === null) return [];
  const requestIds = requestIdLaw(errors, firstUses);
  return docsUrl === null ? [requestIds, docUrlBaseLaw(errors)] : [requestIds];
}
