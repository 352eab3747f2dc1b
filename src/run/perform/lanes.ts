// Work in lanes: within a lane one thing after another, lanes side by side.

/** Runs each lane's items in order, at most `width` lanes at once. Rejects with the first error once all lanes have stopped. */
export async function runLanes<T>(
  lanes: readonly (readonly T[])[],
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = lanes.values();
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (const lane of queue) {
      for (const item of lane) {
        if (failures.length > 0) return;
        try {
          await work(item);
        } catch (error) {
          failures.push(error);
        }
      }
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  if (failures.length > 0) throw failures[0];
}

/** Groups items into lanes by key, in order of first appearance. */
export function lanesBy<T>(items: readonly T[], key: (item: T) => string): readonly (readonly T[])[] {
  return [...Map.groupBy(items, key).values()];
}
