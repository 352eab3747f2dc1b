// Commands trust the schemas of what people write, and compile them without their meta-schema: it is asked here.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { expect, it } from 'vitest';

it.each(['config.schema.json', 'contract.schema.json', 'waivers.schema.json'])('%s is a sound schema', (file) => {
  const ajv = new Ajv();
  const isSound = ajv.validateSchema(JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8')));
  expect([isSound, ajv.errors ?? null]).toEqual([true, null]);
});
