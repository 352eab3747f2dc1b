// `assay init`: a first configuration, commented, that `assay conform` accepts as it stands.
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { builtinServices } from '../config/builtin.ts';
import { UsageError } from '../config/errors.ts';
import { isHttpUrl } from '../config/http-url.ts';
import { NoVerdict } from './failure.ts';
import { configurationText } from './init-text.ts';

interface InitFlags {
  readonly baseUrl: string;
  readonly docsUrl?: string;
  readonly environment: string;
  readonly spec: Readonly<Record<string, string>>;
  readonly out: string;
  readonly force?: boolean;
}

export function initCommand(ends: (code: number) => void): Command {
  return new Command('init')
    .description('write a first configuration, commented')
    .option('--base-url <url>', 'address of the target', httpUrl, 'http://127.0.0.1:8080')
    .option('--docs-url <url>', 'base of error.doc_url', httpUrl)
    .addOption(
      new Option('--environment <name>', 'what the target is')
        .choices(['staging', 'production', 'local'])
        .default('staging'),
    )
    .option('--spec <service=file>', 'description of a service; repeatable', serviceSpec, {})
    .option('--out <file>', 'file to write', 'assay.config.yaml')
    .option('--force', 'replace the file if it exists')
    .addHelpText('after', HELP)
    .action(async (flags: InitFlags) => {
      await writeConfiguration(flags);
      ends(0);
    });
}

const HELP = `
Examples:
  assay init --base-url https://staging.example.com
  assay init --spec admin=specs/admin.openapi.yaml --spec store=pending --environment local`;

async function writeConfiguration(flags: InitFlags): Promise<void> {
  const path = resolve(flags.out);
  if (!/\.ya?ml$/.test(path)) {
    throw new UsageError('ASSAY_OPTION_INVALID', `--out: ${flags.out} is not YAML`, 'name a .yaml or .yml file');
  }
  if (existsSync(path) && !flags.force) {
    throw new UsageError('ASSAY_FILE_EXISTS', `${path} exists and is left as it is`, 'assay init --force replaces it');
  }
  const { baseUrl, docsUrl = null, environment } = flags;
  await writeFile(
    path,
    configurationText({ baseUrl, docsUrl, environment, specs: specsBeside(path, flags.spec) }),
  ).catch((error: NodeJS.ErrnoException) => {
    throw new NoVerdict(`${path} cannot be written (${error.code})`, 'name another file with --out', error);
  });
  process.stderr.write(
    `${path} is written. Next: set ASSAY_STANDARD to a token, then \`assay doctor\` and \`assay conform\`.\n`,
  );
}

/** The specs named, else those shipped with the package; paths relative to the configuration. */
function specsBeside(path: string, named: Readonly<Record<string, string>>): Record<string, string> {
  const shipped = Object.fromEntries(builtinServices().map(({ name, spec }) => [name, spec ?? 'pending']));
  const isPath = (spec: string) => spec !== 'pending' && !spec.includes('://');
  const all = Object.entries({ ...shipped, ...named });
  return Object.fromEntries(
    all.map(([name, spec]) => [name, isPath(spec) ? relative(resolve(path, '..'), resolve(spec)) : spec]),
  );
}

function httpUrl(text: string): string {
  if (isHttpUrl(text)) return text;
  throw new InvalidArgumentError('Expected an http or https URL.');
}

function serviceSpec(text: string, earlier: Readonly<Record<string, string>>): Record<string, string> {
  const [, service, file] = /^([A-Za-z0-9][A-Za-z0-9._-]*)=(.+)$/.exec(text) ?? [];
  if (service && file) return { ...earlier, [service]: file };
  throw new InvalidArgumentError('Expected a service and its file, such as admin=specs/admin.openapi.yaml.');
}
