// Which signals end a command, and who is told of them: the innermost piece of work that asked.

const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

type Act = () => void;

const acts: Act[] = [];

function passOn(): void {
  acts.at(-1)?.();
}

/** From now on a signal performs this act and no other, until the function that is returned is called. */
export function onSignals(act: Act): () => void {
  if (acts.length === 0) for (const signal of ENDING_SIGNALS) process.on(signal, passOn);
  acts.push(act);
  return () => {
    const at = acts.lastIndexOf(act);
    if (at >= 0) acts.splice(at, 1);
    if (acts.length === 0) for (const signal of ENDING_SIGNALS) process.off(signal, passOn);
  };
}
