// The scale model as files.
import { join } from 'node:path';
import { writeWhole } from '../disk/whole-file.ts';
import { scaleModel } from './scale-model.ts';

/** Writes the three descriptions into the folder, which is made where it is missing; resolves with their paths. */
export async function writeScaleModel(folder: string, seed: number): Promise<readonly string[]> {
  const documents = [...scaleModel(seed)];
  const write = async ([service, document]: (typeof documents)[number]): Promise<string> => {
    const file = join(folder, `${service}.scale-model.openapi.json`);
    await writeWhole(file, `${JSON.stringify(document, null, 2)}\n`);
    return file;
  };
  return Promise.all(documents.map(write));
}
