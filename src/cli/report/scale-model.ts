// `assay specs --scale-model DIR`: writes synthetic descriptions of the platform's full size, and summarises them.
import { UsageError } from '../../config/errors.ts';
import { writeScaleModel } from '../../scale-model/write.ts';
import { type SpecsFlags, summariseSpecs } from './specs-summary.ts';

/** Writes the scale model into the folder; resolves with the exit code of its summary. */
export async function summariseScaleModel(
  folder: string,
  seed: number,
  files: readonly string[],
  flags: SpecsFlags,
): Promise<number> {
  const hint = 'assay specs --scale-model scale-model --seed 1';
  if (files.length > 0)
    throw new UsageError('ASSAY_OPTION_INVALID', '--scale-model writes descriptions and reads none', hint);
  const written = await writeScaleModel(folder, seed).catch((error: Error) => {
    throw new UsageError('ASSAY_OPTION_INVALID', `--scale-model: ${error.message}`, 'name another folder');
  });
  if (!flags.json) process.stderr.write("A model made from a seed, not the platform's own descriptions:\n\n");
  return summariseSpecs(written, flags);
}
