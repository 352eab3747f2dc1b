// Sums up descriptions for `assay specs`, for people and for programs.
import { basename } from 'node:path';
import { builtinServices } from '../../config/builtin.ts';
import type { Config, ServiceConfig } from '../../config/config.ts';
import { loadConfig } from '../../config/load.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { loadDescriptions } from '../conform/descriptions.ts';
import { descriptionCache } from '../process/description-cache.ts';
import { EXIT } from '../process/failure.ts';
import { keepSecret, say, unsaid } from '../process/say.ts';

export interface SpecsFlags {
  readonly config?: string;
  readonly json?: boolean;
}

type Sources = Pick<Config, 'services' | 'remoteRefs'>;

/** Prints the summary of these files, or of the configuration's when there are none; resolves with the exit code. */
export async function summariseSpecs(files: readonly string[], flags: SpecsFlags): Promise<number> {
  const sources = files.length > 0 ? sourcesOf(files) : await configured(flags.config ?? null);
  const descriptions = await loadDescriptions(sources, descriptionCache(process.env));
  if (flags.json) process.stdout.write(`${unsaid(JSON.stringify(descriptions.map(asJson)))}\n`);
  else say(asText(sources.services, descriptions));
  return descriptions.some(({ problems }) => problems.length > 0) ? EXIT.violations : EXIT.pass;
}

async function configured(file: string | null): Promise<Sources> {
  const config = await loadConfig({ file, baseUrl: null, env: process.env, cwd: process.cwd() });
  keepSecret(config?.secrets ?? []);
  return config ?? { services: builtinServices(), remoteRefs: [] };
}

/** A file's service is named after it: admin for specs/admin.openapi.yaml. */
function sourcesOf(files: readonly string[]): Sources {
  const services = files.map((file) => ({ name: basename(file).split('.', 1)[0] ?? file, spec: file, basePath: null }));
  return { services, remoteRefs: [] };
}

function asJson(description: Description) {
  const { file, service, openapi, version, title, operations } = description;
  const problems = description.problems.map(({ pointer, rule, message, line }) => ({ pointer, rule, message, line }));
  return {
    file,
    service,
    openapi,
    title,
    version,
    operations: operations.length,
    resources: resourceCount(description),
    problems,
  };
}

/** Tags that at least one operation carries. */
function resourceCount({ operations }: Description): number {
  return new Set(operations.flatMap(({ tags }) => tags)).size;
}

function asText(services: readonly ServiceConfig[], descriptions: readonly Description[]): string {
  const rows = services.map(({ name, spec }) => {
    const found = descriptions.find(({ service, file }) => service === name && file === spec);
    if (found === undefined) return [name, '-', '-', '-', '-', '-', 'pending: not testable'];
    const { openapi, version, operations, problems, file } = found;
    return [name, openapi, version, operations.length, resourceCount(found), problems.length, file].map(String);
  });
  const table = aligned([['service', 'OpenAPI', 'version', 'operations', 'resources', 'problems', 'file'], ...rows]);
  const problems = descriptions.flatMap((description) =>
    description.problems.map(({ file, line, pointer, rule, message }) => {
      const place = line === undefined ? file : `${file}:${line}`;
      return `${place} ${pointer || '(document)'}\n  ${rule}: ${message}`;
    }),
  );
  return `${[table, ...problems].join('\n\n')}\n`;
}

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
