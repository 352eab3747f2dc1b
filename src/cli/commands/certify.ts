// `assay certify`: conformance, limits and ceilings in one run, one report, and the certificate.
import { Command } from 'commander';
import type { CertifyFlags } from '../certify/certify-once.ts';
import {
  addHistoryOptions,
  addRunOptions,
  addSensitivityOption,
  collect,
  hideOptions,
  repeatable,
} from '../process/options.ts';

export function certifyCommand(ends: (code: number) => void): Command {
  const command = new Command('certify')
    .description('judge everything in one run, and write the certificate')
    .optionsGroup('The certificate:')
    .addOption(
      repeatable('--subject <file>', 'the release artefact that is certified; repeatable', collect, 'the descriptions'),
    )
    .option('--sign <file>', 'Ed25519 private key (PEM) that signs the certificate')
    .option('--waivers <file>', 'violations accepted until a day (default: waivers.yaml beside the configuration)')
    .option('--i-understand-this-is-production', 'send load to a target whose environment is production')
    .addHelpText('after', HELP)
    .action(async (flags: CertifyFlags) => {
      const { certifyOnce } = await import('../certify/certify-once.ts');
      ends(await certifyOnce(flags));
    });
  return hideOptions(addSensitivityOption(addHistoryOptions(addRunOptions(command))), NARROWING);
}

/** Options that make a run one of which no certificate is made. */
const NARROWING = ['service', 'operation', 'clause', 'shard', 'profile', 'budget'];

const HELP = `
Examples:
  assay certify --embedded                                          the embedded reference platform
  assay certify --config assay.config.yaml --subject shop-1.4.2.tgz
  assay certify --config assay.config.yaml --subject shop-1.4.2.tgz --sign release-key.pem
  assay report --verify reports/<run id> --subject shop-1.4.2.tgz --key release-key.pub --require conforms

A run that --service, --operation, --clause, --shard, --budget or --time-limit narrowed is judged, and not certified: no verdict.
Exit codes: 0 conforms (with waivers, if any), 1 does not conform, 2 wrong usage, 3 no verdict.`;
