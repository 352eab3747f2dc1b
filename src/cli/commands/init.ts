// `assay init`: a first configuration that `assay conform` accepts as it stands: every key with what it is for, the
// optional ones commented out.
import { relative, resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { ServiceConfig } from '../../config/config.ts';
import { invalidOption } from '../../config/errors.ts';
import { isHttpUrl, isLoopback } from '../../config/http-url.ts';
import type { ConfigDocument } from '../../config/load.ts';
import { type FileUnwritable, writeWhole } from '../../disk/whole-file.ts';
import { unsetIn } from '../described/typed-value.ts';
import { NoVerdict } from '../process/failure.ts';
import { collect, type DescribedFlags, placeFor, repeatable } from '../process/options.ts';

interface InitFlags extends DescribedFlags {
  readonly baseUrl?: string;
  readonly docsUrl?: string;
  readonly environment?: string;
  readonly spec?: Readonly<Record<string, string>>;
  readonly out: string;
  readonly force?: boolean;
  readonly yes?: boolean;
}

export function initCommand(ends: (code: number) => void): Command {
  return new Command('init')
    .description('write a first configuration, commented; at a terminal it asks what no flag says')
    .option('--base-url <url>', 'address of the target (default: http://127.0.0.1:8080)', httpUrl)
    .option('--docs-url <url>', 'base of the addresses that errors name for their documentation', httpUrl)
    .addOption(
      new Option(
        '--environment <name>',
        'what the target is (default: local where --base-url names this machine, else staging)',
      ).choices(['staging', 'production', 'local']),
    )
    .option('--contract <name>', CONTRACT_HELP)
    .addOption(new Option('--mutations <what>', 'whether requests may change something').choices(['allow', 'deny']))
    .option('--spec <service=file>', 'description of a service; repeatable', serviceSpec)
    .addOption(
      new Option('--description <file>', 'a description, a file or a URL, that an API is judged by alone').conflicts([
        'docsUrl',
        'spec',
      ]),
    )
    .addOption(repeatable('--key <[scheme=]value>', KEY_HELP, collect, 'none'))
    .addOption(repeatable('--header <name: value>', 'as of `assay conform DESCRIPTION`; repeatable', collect, 'none'))
    .option('--out <file>', 'file to write', 'assay.config.yaml')
    .option('--force', 'replace the file if it exists')
    .option('--yes', 'ask nothing: what no flag says is as by default')
    .addHelpText('after', HELP)
    .action(async (flags: InitFlags) => {
      await init(flags);
      ends(0);
    });
}

async function init(flags: InitFlags): Promise<void> {
  const path = placeFor(flags, 'assay init');
  if (flags.description === undefined) mustBeDescribed(flags);
  const given = isToAsk(flags) ? { ...flags, ...(await asked()) } : flags;
  const { description } = given;
  await (description === undefined ? writeConfiguration(path, given) : writeDescribed(path, { ...given, description }));
}

/** Flags that answer something are answers enough: scripts are not asked. */
function isToAsk(flags: InitFlags): boolean {
  const { baseUrl, docsUrl, environment, contract, mutations, spec, description, yes = false } = flags;
  const given = [baseUrl, docsUrl, environment, contract, mutations, spec, description].some(
    (flag) => flag !== undefined,
  );
  return !given && !yes && process.stdin.isTTY === true && process.stderr.isTTY === true;
}

async function asked(): Promise<Partial<InitFlags>> {
  const { ask } = await import('../init/questions.ts');
  return ask({ input: process.stdin, output: process.stderr });
}

const CONTRACT_HELP =
  "commerce: the platform's; openapi: any service; or a contract file (default: commerce, with --description openapi)";
const KEY_HELP = 'a key of its security schemes, of which the file holds the name of a variable; repeatable';

const HELP = `
Examples:
  assay init                                            asks, at a terminal
  assay init --base-url https://staging.example.com
  assay init --contract openapi --spec pets=openapi.json --environment local
  assay init --description https://api.example.com/openapi.json --key env:PETS_KEY
  assay init --spec admin=specs/admin.openapi.yaml --spec store=pending --environment local`;

/** A configuration for the platform is of no use for another API, and nothing in it would say so. */
const FOR_ANOTHER_API =
  'It is for the commerce platform, with its contract and descriptions. Any other API: `assay init --description FILE`.\n';

async function writeConfiguration(path: string, flags: InitFlags): Promise<void> {
  const { baseUrl = 'http://127.0.0.1:8080', docsUrl = null, mutations = null } = flags;
  // An address that was not typed will be edited by hand, and what may be changed there is not yet known.
  const isOfThisMachine = flags.baseUrl !== undefined && isLoopback(new URL(baseUrl).hostname);
  const { environment = isOfThisMachine ? 'local' : 'staging' } = flags;
  const { contract = 'commerce', spec = {} } = flags;
  const { builtinServices, TOKEN_VARIABLES } = await import('../../config/builtin.ts');
  const shipped = contract === 'commerce' ? builtinServices() : null;
  const services = Object.entries(specsBeside(path, spec, shipped)).map(([name, its]) => ({
    name,
    spec: its,
  }));
  const keys = shipped === null ? [] : Object.entries(TOKEN_VARIABLES).map(keyLine);
  await written(path, {
    ...{ baseUrl, docsUrl, environment, mutations, services, keys, headers: {}, schemes: [] },
    contract: await contractBeside(path, contract),
  });
  tellWritten(path, shipped === null ? [] : ['ASSAY_STANDARD']);
  if (shipped !== null) process.stderr.write(FOR_ANOTHER_API);
}

/** The configuration that a run by the description alone has, its secrets as names of variables. */
async function writeDescribed(path: string, flags: InitFlags & { readonly description: string }): Promise<void> {
  const { description, baseUrl = null, header: headers = [], key = [], mutations, environment } = flags;
  const { draftOf } = await import('../described/draft.ts');
  const typed = { description, baseUrl, headers, keys: key, ...(mutations === undefined ? {} : { mutations }) };
  const { document, values, schemes } = await draftOf(typed, { env: process.env, cwd: process.cwd() });
  const services = Object.entries(document.services ?? {}).map(([name, { spec, basePath }]) => ({
    ...{ name, spec: besideFile(path, spec) },
    ...(basePath === undefined ? {} : { basePath }),
  }));
  await written(path, {
    ...{ baseUrl: document.target.baseUrl, docsUrl: null, mutations: mutations ?? null, services, schemes },
    contract: await contractBeside(path, flags.contract ?? 'openapi'),
    environment: environment ?? document.target.environment ?? 'staging',
    keys: (document.keys ?? []).map(schemeKeyLine),
    headers: document.target.headers ?? {},
  });
  const needed = values.flatMap((value) => unsetIn({ ...value, brought: {} }, process.env));
  tellWritten(path, [...new Set(needed)]);
}

async function written(path: string, answers: InitAnswers): Promise<void> {
  await writeWhole(path, configurationText(answers)).catch((error: FileUnwritable) => {
    throw new NoVerdict(error.message, 'name another file with --out', error);
  });
}

/** Says what is to be done before the configuration is used: the variables to set, by name. */
function tellWritten(path: string, variables: readonly string[]): void {
  const [first] = variables;
  const set =
    first === undefined
      ? ''
      : variables.length === 1
        ? `set ${first} to a token, then `
        : `set ${variables.join(' and ')}, then `;
  process.stderr.write(`${path} is written. Next: ${set}\`assay doctor\` and \`assay conform\`.\n`);
}

/** Throws UsageError for what only a description gives a meaning. */
function mustBeDescribed({ key = [], header = [] }: InitFlags): void {
  if (key.length + header.length === 0) return;
  throw invalidOption(
    `${key.length > 0 ? '--key' : '--header'} goes with --description`,
    'assay init --description https://api.example.com/openapi.json --key env:PETS_KEY',
  );
}

/** The specs named, beside those that the package ships for the platform's contract (null: another contract). Paths are relative to the configuration. */
function specsBeside(
  path: string,
  named: Readonly<Record<string, string>>,
  shipped: readonly ServiceConfig[] | null,
): Record<string, string> {
  const own = shipped?.map(({ name, spec }) => [name, spec ?? 'pending'] as const);
  const first =
    own !== undefined ? Object.fromEntries(own) : Object.keys(named).length === 0 ? { api: 'openapi.yaml' } : {};
  return Object.fromEntries(
    Object.entries({ ...first, ...named }).map(([name, spec]) => [name, besideFile(path, spec)]),
  );
}

/** A contract file as the configuration names it; the name of one that ships as it is. Throws UsageError for what is neither. */
async function contractBeside(path: string, contract: string): Promise<string> {
  const { contractOf, isContractFile } = await import('../../config/contract-file.ts');
  contractOf(contract, process.cwd());
  return isContractFile(contract) ? besideFile(path, contract) : contract;
}

/** A path relative to the configuration; a URL, or the word pending, as it is. */
function besideFile(path: string, spec: string): string {
  const isPath = spec !== 'pending' && !spec.includes('://');
  return isPath ? relative(resolve(path, '..'), resolve(spec)) : spec;
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

interface InitAnswers {
  readonly baseUrl: string;
  readonly docsUrl: string | null;
  readonly environment: string;
  /** A file relative to this one, or a contract that ships. */
  readonly contract: string;
  /** null: what goes without saying in the environment. */
  readonly mutations: 'allow' | 'deny' | null;
  /** Each with a path relative to the file, a URL, or "pending". */
  readonly services: readonly { readonly name: string; readonly spec: string; readonly basePath?: string }[];
  /** Lines of YAML. */
  readonly keys: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** Names of the security schemes of the description. */
  readonly schemes: readonly string[];
}

/** YAML that the configuration's schema accepts once the variables of its keys are set. */
function configurationText(answers: InitAnswers): string {
  const { baseUrl, environment, contract, mutations, services, headers } = answers;
  const isPlatform = contract === 'commerce';
  return `# yaml-language-server: $schema=./node_modules/assay/dist/src/config/config.schema.json
# What Assay judges, and with what. \${NAME} is taken from the environment: no token belongs in this file.
target:
  baseUrl: ${quoted(baseUrl)}
${isPlatform ? docsLine(answers) : ''}  environment: ${environment.padEnd(25)} # staging | production | local
${headerLines(headers)}
# The OpenAPI descriptions, relative to this file, or URLs. "pending": there is none yet, the service is not testable.
services:
${services.map(serviceLine).join('\n')}

${isPlatform ? platformKeys(answers) : schemeKeys(answers)}# Values for path parameters that no list operation yields.
# fixtures: { storeId: store_1 }

# Whether requests that change something may be sent. Default: deny, unless the environment is local.
# With deny only GET, HEAD and OPTIONS are sent at all.
# Payments outside local only with { default: allow, payments: allow }.
${mutations === null ? '# mutations: allow' : `mutations: ${mutations}`}

# How many objects a run may create: of what nothing deletes in all, of the rest at once (docs/harm.md).
# limits: { created: { perOperation: 5, total: 200 } }

# Known values that the contract does not show; stating one makes the clause a must.
# expect: { ${isPlatform ? 'plans: { standard: { limit: 100, windowSeconds: 60 } }, ' : ''}isolation: true }

# Clauses whose advisories count as violations.
# promote: [REQ-08]

# Where a list keeps its items, should its envelope hold several arrays that cannot be told apart.
# lists: { "GET /v1/things": { items: /data/rows } }

# Fewest operations that must be tested for a verdict.
# gate: { minOperations: 10 }

# Where load may go beside loopback, and what it must keep (docs/load.md).
# load: { allow: [staging.example.com], objectives: { p99Ms: 300, errorRate: 0.01 }, soak: { rate: 20, seconds: 3600 } }

# Must clauses that a certificate accepts untested, and why (docs/certify.md).
# certify: { accept: { AUTH-04: no locked account exists on staging } }

# The subscription whose deliveries \`assay webhooks\` receives and judges (docs/webhooks.md).
# webhooks: { secret: "\${ASSAY_WEBHOOK_SECRET}" }

# What it is judged by: its description alone (openapi), or a contract file of its own (docs/contract.md).
${isPlatform ? '# contract: openapi' : `contract: ${quoted(contract)}`}

# Checks and reporters of your own (docs/extending.md).
# extend: [./my-checks.ts]
`;
}

function docsLine({ docsUrl }: InitAnswers): string {
  const line = docsUrl === null ? '  # docsUrl: https://docs.example.com' : `  docsUrl: ${quoted(docsUrl)}`;
  return `${line.padEnd(40)} # base of the documentation of errors: {docsUrl}/errors/{code}\n`;
}

function platformKeys({ keys }: InitAnswers): string {
  return `# Bearer tokens by plan. The first is used most; clauses about plans need more than one.
# A token that ages can come from a command: tokenCommand: [print-token, --plan, standard]
keys:
${keys.join('\n')}

# Tokens that must be refused (AUTH-03, AUTH-04). Not set: those clauses are not tested.
credentials:
  locked: "\${ASSAY_LOCKED}"
  expired: "\${ASSAY_EXPIRED}"

`;
}

/** The keys that were given, or how one is given; nothing where the description has no security scheme. */
function schemeKeys({ keys, schemes }: InitAnswers): string {
  const [scheme] = schemes;
  const none =
    scheme === undefined
      ? ''
      : `# keys: [{ name: main, plan: any, token: "\${API_KEY}", scheme: ${quoted(scheme)} }]\n`;
  const written = keys.length === 0 ? none : `keys:\n${keys.join('\n')}\n`;
  return written === ''
    ? ''
    : `# Keys of the security schemes that the description has: ${schemes.map(quoted).join(', ')}.\n${written}\n`;
}

function serviceLine({ name, spec, basePath }: InitAnswers['services'][number]): string {
  return `  ${quoted(name)}: { spec: ${quoted(spec)}${basePath === undefined ? '' : `, basePath: ${quoted(basePath)}`} }`;
}

function headerLines(headers: InitAnswers['headers']): string {
  const lines = Object.entries(headers).map(([name, value]) => `    ${quoted(name)}: ${JSON.stringify(value)}\n`);
  return lines.length === 0 ? '' : `  headers:${' '.repeat(29)} # of all requests\n${lines.join('')}`;
}

function schemeKeyLine({ name, plan, token = '', scheme = '' }: NonNullable<ConfigDocument['keys']>[number]): string {
  return `  - { name: ${quoted(name)}, plan: ${plan}, token: ${JSON.stringify(token)}, scheme: ${quoted(scheme)} }`;
}

function keyLine([plan, variable]: [string, string], index: number): string {
  const line = `- { name: ${plan.slice(0, 3)}-1, plan: ${plan}, token: "\${${variable}}" }`;
  return index === 0 ? `  ${line}` : `  # ${line}`;
}

/** A string as YAML reads it back; plain where nothing in it is special. */
function quoted(text: string): string {
  return /^[A-Za-z./][A-Za-z0-9./_-]*$/.test(text) ? text : JSON.stringify(text);
}
