// Load that is sent from other machines: what instances of k6 there cannot do, told before anything is sent, and the search
// for capacity in a cluster (`assay load capacity --cluster CONTEXT`).
import type { Config } from '../../config/config.ts';
import { invalidOption, UsageError } from '../../config/errors.ts';
import { complaintOf, KubectlMissing, kubectlFor } from '../../load/cluster/kubectl.ts';
import type { Cluster } from '../../run/load/callers.ts';
import type { Job } from '../conform/prepare.ts';
import { NoVerdict } from '../process/failure.ts';
import { INSTANCES, type LoadFlags } from './options.ts';

/** Throws UsageError for what instances have no way to get: k6 takes a client certificate from no Secret. */
export function mustBeShared({ target: { tls } }: Config, option: string): void {
  if (tls === undefined || tls.cert === null) return;
  throw new UsageError(
    'ASSAY_LOAD_REFUSED',
    `${option}: an archive of k6 holds its settings, and a client certificate (target.tls.cert) must not stand in one`,
    'send from one machine, or reach the target by an address that asks for no client certificate',
  );
}

/** Throws UsageError for the embedded platform. */
export function mustOutlive({ embedded }: LoadFlags, option: string): void {
  if (embedded !== true) return;
  throw invalidOption(
    `${option}: the embedded platform ends with this command, and instances elsewhere cannot call it`,
    'name a target by --config or --base-url; `assay platform` starts one that stays',
  );
}

/** Instances do not begin at once: longer steps, and time for as many of them as from one machine. */
const SEARCH = { stepSeconds: 10, mostSeconds: 300 };
const ASKING_FOR_OPERATOR = 'install k6-operator there, and let this user create its TestRuns';

/** The cluster, ready to send. Throws UsageError for a context that is not there, NoVerdict where no TestRun can be made. */
export async function clusterOf(context: string, flags: LoadFlags, run: string | null): Promise<Cluster> {
  const kubectl = kubectlFor({ context, namespace: flags.namespace ?? null });
  const known = await kubectl(['config', 'get-contexts', context, '-o', 'name']).catch((error: unknown) => {
    if (!(error instanceof KubectlMissing)) throw error;
    const hint = 'install kubectl, or send by hand: assay load capacity --distributed DIR';
    throw new NoVerdict(`--cluster: ${error.message}`, hint, error);
  });
  if (known.code !== 0)
    throw invalidOption(`--cluster: kubectl knows no context ${context}`, 'kubectl config get-contexts lists them');
  const runs = await kubectl(['get', 'testruns.k6.io', '-o', 'name']);
  if (runs.code !== 0) throw new NoVerdict(`--cluster: ${complaintOf(runs)}`, ASKING_FOR_OPERATOR);
  const tell = (line: string): void => void process.stderr.write(`assay: ${line}\n`);
  return { kubectl, run: run ?? '', instances: flags.instances ?? INSTANCES, tell };
}

/** The job with the search as a cluster makes it. Throws UsageError for what instances have no way to get. */
export function searchedElsewhere(job: Job): Job {
  mustBeShared(job.config, '--cluster');
  const load: Config['load'] = { ...job.config.load, capacity: { ...SEARCH, ...Object(job.config.load.capacity) } };
  return { ...job, config: { ...job.config, load } };
}
