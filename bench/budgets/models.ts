// The descriptions that budgets are measured on.
import { readModel } from '../../src/platform/schema/model.ts';
import type { ServedDocument } from '../../src/platform/schema/served.ts';

/**
 * platform: the embedded platform as it is published, 57 operations. shop: its services admin and store without ai,
 * 48 operations.
 */
export const MODELS = ['platform', 'shop'] as const;

export type ModelName = (typeof MODELS)[number];

export async function documentsOf(model: ModelName): Promise<readonly ServedDocument[]> {
  known ??= readModel({});
  const documents = await known;
  return model === 'platform' ? documents : documents.filter(({ service }) => service !== 'ai');
}

let known: Promise<readonly ServedDocument[]> | undefined;
