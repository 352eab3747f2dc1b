// What stands in a bundle beside its files: which commands run it and bring its samples together.
import { BUNDLE_FILES, type Bundle, RESULTS_FOLDER } from './bundle.ts';
import { FILES_MOUNT, FILES_POD, NAME, SECRET_NAME, secretValues } from './manifests.ts';
import { segmentOf, sequenceOf } from './segment.ts';

/** Starting pods takes time beside the load itself. s */
const STARTING_SECONDS = 300;

/** README.md of the bundle; `leftovers` are what was made on the target for it, a line each. */
export function readmeOf({ facts, plan }: Bundle, leftovers: readonly string[]): string {
  const { instances, ratePerSecond, seconds, rampSeconds, baseUrl } = facts;
  const { headers = [] } = plan;
  const literals = secretValues(plan).map(({ variable }) => ` \\\n  --from-literal=${variable}="$${variable}"`);
  const whose = plan.keys.map(
    ({ name, variable }) =>
      `- \`${variable}\`: the token of key ${name}, as a request carries it (Basic: user:password in base64)`,
  );
  const shared = headers.map(
    ({ name, variable }) => `- \`${variable}\`: the value of the header ${name}, which all requests carry`,
  );
  const { archive, volume, testRun, secret, authorities } = BUNDLE_FILES;
  return `# ${ratePerSecond} requests/s for ${seconds} s by ${instances} instances

Against ${[...new Set([baseUrl, ...Object.values(facts.baseUrls ?? {})])].join(', ')}, which must be reached from the cluster, after ${rampSeconds} s that are left out of the measure. Run ${plan.run}.

## On Kubernetes

[k6-operator](https://github.com/grafana/k6-operator) must be installed. The claim in ${volume} is shared by all instances: on
several nodes its storage class must offer ReadWriteMany.

The keys${headers.length === 0 ? '' : ' and the headers'}, in variables of your shell:

${[...whose, ...shared].join('\n')}

\`\`\`sh
kubectl create secret generic ${SECRET_NAME}${literals.join('')}
kubectl apply -f ${volume}
kubectl wait --for=condition=Ready pod/${FILES_POD} --timeout=${STARTING_SECONDS}s
kubectl cp ${archive} ${FILES_POD}:${FILES_MOUNT}/${archive}${facts.hasAuthorities ? `\nkubectl cp ${authorities} ${FILES_POD}:${FILES_MOUNT}/${authorities}` : ''}
kubectl apply -f ${testRun}
kubectl wait --for=jsonpath='{.status.stage}'=finished testrun/${NAME} --timeout=${seconds + rampSeconds + STARTING_SECONDS}s
kubectl cp ${FILES_POD}:${FILES_MOUNT} ${RESULTS_FOLDER}
kubectl delete -f ${testRun} -f ${volume} && kubectl delete secret ${SECRET_NAME}
assay load --collect .
\`\`\`

${secret} is the Secret as a file, for those who fill it by other means. \`finished\` says nothing of the result: a lost instance is told by
\`--collect\`, which refuses what is not whole. To run once more, delete the TestRun and the samples of the run before.

## On one machine

\`\`\`sh
${Array.from({ length: instances }, (_, at) => localCommand(at + 1, facts)).join('\n')}
wait
assay load --collect .
\`\`\`
${leftoverText(leftovers)}`;
}

/** As the operator starts an instance. */
function localCommand(instance: number, { instances, hasAuthorities }: Bundle['facts']): string {
  const trust = hasAuthorities ? `SSL_CERT_FILE=${BUNDLE_FILES.authorities} ` : '';
  const settings = `K6_LOG_FORMAT=raw K6_NO_THRESHOLDS=true K6_SUMMARY_MODE=disabled K6_CONSOLE_OUTPUT=${RESULTS_FOLDER}/samples-${instance}.tsv`;
  const part = `--execution-segment=${segmentOf(instance, instances)} --execution-segment-sequence=${sequenceOf(instances)}`;
  return `${trust}${settings} k6 run --quiet --address=127.0.0.1:0 ${part} ${BUNDLE_FILES.archive} &`;
}

function leftoverText(leftovers: readonly string[]): string {
  if (leftovers.length === 0) return '';
  return `
## Left on the target

Made so that requests have something to ask for; delete it when the bundle is no longer used:

${leftovers.map((line) => `- ${line}`).join('\n')}
`;
}
