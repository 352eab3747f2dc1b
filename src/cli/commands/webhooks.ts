// `assay webhooks`: receives deliveries, or reads recorded ones, and judges HOOK.
import { Command } from 'commander';
import { addWebhookOptions, type WebhookFlags } from '../receiving/options.ts';

export function webhooksCommand(ends: (code: number) => void): Command {
  const command = new Command('webhooks')
    .description('receive webhook deliveries and judge their signatures and redeliveries (HOOK)')
    .addHelpText('after', HELP)
    .action(async (flags: WebhookFlags) => {
      const { webhooksOnce } = await import('../receiving/run-once.ts');
      ends(await webhooksOnce(flags));
    });
  return addWebhookOptions(command);
}

const HELP = `
One JSON line on stdout tells when it listens: {"url":…}. The platform must be told to deliver there: by hand, or by the
program that webhooks.trigger of the configuration names, which finds the address in ASSAY_WEBHOOK_URL.

Examples:
  assay webhooks --embedded                      the embedded reference platform, for a first look
  assay webhooks --config assay.config.yaml --port 4567
  assay webhooks --config assay.config.yaml --deliveries recorded.jsonl
                                                 lines of {"at","method","path","headers","bodyBase64"}
  assay webhooks --clause HOOK-01 --seconds 30   signatures alone: every delivery is accepted

Exit codes: 0 every tested clause holds, 1 violations, 2 wrong usage, 3 no verdict (nothing was delivered, say).`;
