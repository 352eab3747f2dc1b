// Which experiments a run performed, so that another can go on where it stopped. Experiments are named by what they are,
// not by what they sent: the same seed, descriptions and filters plan the same ones in the same order.
import { hash } from 'node:crypto';
import type { Conversation, Experiment } from '../../probes/probe.ts';

/** Pairs every experiment of a pass with its name; equal ones are told apart by their turn. */
export function named(
  experiments: readonly (Experiment | Conversation)[],
): ReadonlyMap<Experiment | Conversation, string> {
  const turns = new Map<string, number>();
  return new Map(
    experiments.map((experiment) => {
      const { stage, rank, service, operation, probe } = experiment;
      const kind = `${stage} ${rank} ${service} ${operation} ${probe}`;
      const turn = (turns.get(kind) ?? 0) + 1;
      turns.set(kind, turn);
      return [experiment, hash('sha256', `${kind} ${turn}`, 'base64url').slice(0, 12)];
    }),
  );
}
