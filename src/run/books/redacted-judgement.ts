// A judgement without secrets: what it tells may quote what came over the wire, and anybody may write anything there.
import type { Judgement } from '../../contract/judgement.ts';
import type { Redactor } from '../../exchange/secrets/known-secrets.ts';

export function redactedJudgement(judgement: Judgement, redactor: Redactor): Judgement {
  return JSON.parse(JSON.stringify(judgement), (_key, value) =>
    typeof value === 'string' ? redactor.redact(value) : value,
  );
}
