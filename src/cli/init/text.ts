// The text of a first configuration: every key with what it is for, the optional ones commented out.
import { TOKEN_VARIABLES } from '../../config/builtin.ts';
import type { ContractName } from '../../contract/openapi-contract.ts';

export interface InitAnswers {
  readonly baseUrl: string;
  readonly docsUrl: string | null;
  readonly environment: string;
  readonly contract: ContractName;
  /** null: what goes without saying in the environment. */
  readonly mutations: 'allow' | 'deny' | null;
  /** By service: a path relative to the file, a URL, or "pending". */
  readonly specs: Readonly<Record<string, string>>;
}

/** YAML that the configuration's schema accepts once ASSAY_STANDARD is set. */
export function configurationText({ baseUrl, docsUrl, environment, contract, mutations, specs }: InitAnswers): string {
  const docs = docsUrl === null ? '  # docsUrl: https://docs.example.com' : `  docsUrl: ${quoted(docsUrl)}`;
  return `# yaml-language-server: $schema=./node_modules/assay/dist/src/config/config.schema.json
# What Assay judges, and with what. \${NAME} is taken from the environment: no token belongs in this file.
target:
  baseUrl: ${quoted(baseUrl)}
${docs.padEnd(40)} # base of error.doc_url: {docsUrl}/errors/{code}
  environment: ${environment.padEnd(25)} # staging | production | local

# The OpenAPI descriptions, relative to this file, or URLs. "pending": there is none yet, the service is not testable.
services:
${Object.entries(specs).map(serviceLine).join('\n')}

# Bearer tokens by plan. The first is used most; clauses about plans need more than one.
# A token that ages can come from a command: tokenCommand: [print-token, --plan, standard]
keys:
${Object.entries(TOKEN_VARIABLES).map(keyLine).join('\n')}

# Tokens that must be refused (AUTH-03, AUTH-04). Not set: those clauses are not tested.
credentials:
  locked: "\${ASSAY_LOCKED}"
  expired: "\${ASSAY_EXPIRED}"

# Values for path parameters that no list operation yields.
# fixtures: { storeId: store_1 }

# Whether requests that change something may be sent. Default: deny, unless the environment is local.
# With deny only GET, HEAD and OPTIONS are sent at all.
# Payments outside local only with { default: allow, payments: allow }.
${mutations === null ? '# mutations: allow' : `mutations: ${mutations}`}

# How many objects a run may create: of what nothing deletes in all, of the rest at once (docs/harm.md).
# limits: { created: { perOperation: 5, total: 200 } }

# Known values that the contract does not show; stating one makes the clause a must.
# expect: { plans: { standard: { limit: 100, windowSeconds: 60 } }, isolation: true }

# Clauses whose advisories count as violations.
# promote: [REQ-08]

# Where a list keeps its items, should its envelope hold several arrays that cannot be told apart.
# lists: { "GET /api/v1/things": { items: /data/rows } }

# Fewest operations that must be tested for a verdict.
# gate: { minOperations: 10 }

# Where load may go beside loopback, and what it must keep (docs/load.md).
# load: { allow: [staging.example.com], objectives: { p99Ms: 300, errorRate: 0.01 }, soak: { rate: 20, seconds: 3600 } }

# Must clauses that a certificate accepts untested, and why (docs/certify.md).
# certify: { accept: { AUTH-03: no locked account exists on staging } }

# The subscription whose deliveries \`assay webhooks\` receives and judges (docs/webhooks.md).
# webhooks: { secret: "\${ASSAY_WEBHOOK_SECRET}" }

# A service that does not follow this platform's contract is judged by its description alone (docs/any-api.md).
${contract === 'openapi' ? 'contract: openapi' : '# contract: openapi'}

# Checks and reporters of your own (docs/extending.md).
# extend: [./my-checks.ts]
`;
}

function serviceLine([name, spec]: [string, string]): string {
  return `  ${quoted(name)}: { spec: ${quoted(spec)} }`;
}

function keyLine([plan, variable]: [string, string], index: number): string {
  const line = `- { name: ${plan.slice(0, 3)}-1, plan: ${plan}, token: "\${${variable}}" }`;
  return index === 0 ? `  ${line}` : `  # ${line}`;
}

/** A string as YAML reads it back; plain where nothing in it is special. */
function quoted(text: string): string {
  return /^[A-Za-z./][A-Za-z0-9./_-]*$/.test(text) ? text : JSON.stringify(text);
}
