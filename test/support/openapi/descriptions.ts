// Descriptions for tests: written to a temporary folder, loaded as any other, and removed at once.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Description, SchemaHandle } from '../../../src/openapi/model/operation.ts';
import { loadDescription } from '../../../src/openapi/read/load.ts';

/** Loads the first of these files (name → text or JSON value); the others lie beside it. */
export async function loadFiles(
  files: Record<string, unknown>,
  remoteRefs: readonly string[] = [],
): Promise<Description> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-openapi-'));
  try {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content, null, 2));
    }
    return await loadDescription({ service: 'admin', file: join(folder, Object.keys(files)[0] as string), remoteRefs });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A description whose components hold these schemas, and one GET operation that answers the first of them. */
export function documentWith(version: '3.0.3' | '3.1.0', schemas: Record<string, unknown>): Record<string, unknown> {
  const schema = { $ref: `#/components/schemas/${Object.keys(schemas)[0]}` };
  const content = { 'application/json': { schema } };
  return {
    openapi: version,
    info: { title: 'Shop', version: '1.0.0' },
    paths: {
      '/things': {
        get: { responses: { 200: { description: 'Found', content } } },
        post: { requestBody: { content }, responses: { 201: { description: 'Created' } } },
      },
    },
    components: { schemas },
  };
}

/** `pointer keyword` of every breach of the first schema. */
export async function judge(
  version: '3.0.3' | '3.1.0',
  schemas: Record<string, unknown>,
  value: unknown,
  direction: 'request' | 'response' = 'response',
): Promise<string[] | null> {
  const description = await loadFiles({ 'shop.json': documentWith(version, schemas) });
  const validate = description.validator(responseSchema(description), direction);
  return validate === null ? null : validate(value).map(({ pointer, keyword }) => `${pointer} ${keyword}`);
}

/** The schema of the first response of the first operation. */
export function responseSchema(description: Description): SchemaHandle {
  const schema = description.operations[0]?.responses[0]?.content[0]?.schema;
  if (schema === null || schema === undefined) throw new Error('the first operation declares no response schema');
  return schema;
}
