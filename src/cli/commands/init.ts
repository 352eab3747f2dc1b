// `assay init`: a first configuration, commented, that `assay conform` accepts as it stands.
import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { builtinServices } from '../../config/builtin.ts';
import { UsageError } from '../../config/errors.ts';
import { isHttpUrl } from '../../config/http-url.ts';
import type { ContractName } from '../../contract/openapi-contract.ts';
import { type FileUnwritable, writeWhole } from '../../disk/whole-file.ts';
import { configurationText } from '../init/text.ts';
import { NoVerdict } from '../process/failure.ts';

interface InitFlags {
  readonly baseUrl?: string;
  readonly docsUrl?: string;
  readonly environment?: string;
  readonly contract?: ContractName;
  readonly mutations?: 'allow' | 'deny';
  readonly spec?: Readonly<Record<string, string>>;
  readonly out: string;
  readonly force?: boolean;
  readonly yes?: boolean;
}

export function initCommand(ends: (code: number) => void): Command {
  return new Command('init')
    .description('write a first configuration, commented; at a terminal it asks what no flag says')
    .option('--base-url <url>', 'address of the target (default: http://127.0.0.1:8080)', httpUrl)
    .option('--docs-url <url>', 'base of error.doc_url', httpUrl)
    .addOption(
      new Option('--environment <name>', 'what the target is (default: staging)').choices([
        'staging',
        'production',
        'local',
      ]),
    )
    .addOption(
      new Option('--contract <name>', "commerce: the platform's; openapi: any service (default: commerce)").choices([
        'commerce',
        'openapi',
      ]),
    )
    .addOption(new Option('--mutations <what>', 'whether requests may change something').choices(['allow', 'deny']))
    .option('--spec <service=file>', 'description of a service; repeatable', serviceSpec)
    .option('--out <file>', 'file to write', 'assay.config.yaml')
    .option('--force', 'replace the file if it exists')
    .option('--yes', 'ask nothing: what no flag says is as by default')
    .addHelpText('after', HELP)
    .action(async (flags: InitFlags) => {
      const path = placeFor(flags);
      await writeConfiguration(path, isToAsk(flags) ? { ...flags, ...(await asked()) } : flags);
      ends(0);
    });
}

/** Flags that answer something are answers enough: scripts are not asked. */
function isToAsk({ baseUrl, docsUrl, environment, contract, mutations, spec, yes = false }: InitFlags): boolean {
  const given = [baseUrl, docsUrl, environment, contract, mutations, spec].some((flag) => flag !== undefined);
  return !given && !yes && process.stdin.isTTY === true && process.stderr.isTTY === true;
}

async function asked(): Promise<Partial<InitFlags>> {
  const { ask } = await import('../init/questions.ts');
  const { mutations, ...answers } = await ask({ input: process.stdin, output: process.stderr });
  return mutations === null ? answers : { ...answers, mutations };
}

const HELP = `
Examples:
  assay init                                            asks, at a terminal
  assay init --base-url https://staging.example.com
  assay init --contract openapi --spec pets=openapi.json --environment local
  assay init --spec admin=specs/admin.openapi.yaml --spec store=pending --environment local`;

/** Throws UsageError before anything is asked. */
function placeFor({ out, force }: InitFlags): string {
  const path = resolve(out);
  if (!/\.ya?ml$/.test(path)) {
    throw new UsageError('ASSAY_OPTION_INVALID', `--out: ${out} is not YAML`, 'name a .yaml or .yml file');
  }
  if (existsSync(path) && !force) {
    throw new UsageError('ASSAY_FILE_EXISTS', `${path} exists and is left as it is`, 'assay init --force replaces it');
  }
  return path;
}

async function writeConfiguration(path: string, flags: InitFlags): Promise<void> {
  const { baseUrl = 'http://127.0.0.1:8080', docsUrl = null, environment = 'staging', mutations = null } = flags;
  const { contract = 'commerce', spec = {} } = flags;
  const specs = specsBeside(path, spec, contract);
  await writeWhole(path, configurationText({ baseUrl, docsUrl, environment, contract, mutations, specs })).catch(
    (error: FileUnwritable) => {
      throw new NoVerdict(error.message, 'name another file with --out', error);
    },
  );
  process.stderr.write(
    `${path} is written. Next: set ASSAY_STANDARD to a token, then \`assay doctor\` and \`assay conform\`.\n`,
  );
}

/** The specs named; under the platform's contract those shipped with the package, too. Paths are relative to the configuration. */
function specsBeside(
  path: string,
  named: Readonly<Record<string, string>>,
  contract: ContractName,
): Record<string, string> {
  const shipped = Object.fromEntries(builtinServices().map(({ name, spec }) => [name, spec ?? 'pending']));
  const isPath = (spec: string) => spec !== 'pending' && !spec.includes('://');
  const first = contract === 'commerce' ? shipped : Object.keys(named).length === 0 ? { api: 'openapi.yaml' } : {};
  return Object.fromEntries(
    Object.entries({ ...first, ...named }).map(([name, spec]) => [
      name,
      isPath(spec) ? relative(resolve(path, '..'), resolve(spec)) : spec,
    ]),
  );
}

function httpUrl(text: string): string {
  if (isHttpUrl(text)) return text;
  throw new InvalidArgumentError('Expected an http or https URL.');
}

function serviceSpec(text: string, earlier: Readonly<Record<string, string>> = {}): Record<string, string> {
  const [, service, file] = /^([A-Za-z0-9][A-Za-z0-9._-]*)=(.+)$/.exec(text) ?? [];
  if (service && file) return { ...earlier, [service]: file };
  throw new InvalidArgumentError('Expected a service and its file, such as admin=specs/admin.openapi.yaml.');
}
