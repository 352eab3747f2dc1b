// Commands that judge some clauses only: whether what was asked for is among them.
import { UsageError } from '../../config/errors.ts';

/** Throws UsageError where clauses are asked for and the command judges none of them. */
export function mustJudge(command: string, judged: readonly string[], clauses: readonly string[]): void {
  if (clauses.length === 0 || judged.some((id) => clauses.includes(id))) return;
  throw new UsageError(
    'ASSAY_OPTION_INVALID',
    `--clause: assay ${command} judges ${judged.join(', ')}, and not ${clauses.join(', ')}`,
    'docs/clauses.md names the command that judges each clause',
  );
}
