// One thread of `npm run bench:budgets`: looks for one fault after the other and tells what was noticed.
import { parentPort } from 'node:worker_threads';
import { NoSubject } from '../../src/platform/deviation.ts';
import { documentsOf, type ModelName } from './models.ts';
import { FAULT_CASES, type Notice, noticeWithin } from './notice.ts';

export interface Task {
  readonly fault: string;
  readonly budget: number | null;
  readonly model: ModelName;
  readonly seed: number;
}

/** null: the model has nothing on which the fault could show. */
export type Told = Notice | null;

parentPort?.on('message', async (task: Task) => {
  parentPort?.postMessage(await told(task));
});

async function told({ fault, budget, model, seed }: Task): Promise<Told> {
  const found = FAULT_CASES.find(({ id }) => id === fault);
  if (found === undefined) throw new Error(`there is no fault ${fault}`);
  try {
    return await noticeWithin(found, await documentsOf(model), budget, seed);
  } catch (error) {
    if (error instanceof NoSubject) return null;
    throw error;
  }
}
