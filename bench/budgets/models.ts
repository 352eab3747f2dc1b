// The descriptions that budgets are measured on.
import { readModel } from '../../src/platform/schema/model.ts';
import type { ServedDocument } from '../../src/platform/schema/served.ts';

/** platform: the embedded platform as it is published, 57 operations. */
export const MODELS = ['platform'] as const;

export type ModelName = (typeof MODELS)[number];

export function documentsOf(_model: ModelName): Promise<readonly ServedDocument[]> {
  known ??= readModel({});
  return known;
}

let known: Promise<readonly ServedDocument[]> | undefined;
