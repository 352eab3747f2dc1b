// What instances of k6 on other machines cannot do, told before anything is sent.
import type { Config } from '../../config/config.ts';
import { UsageError } from '../../config/errors.ts';
import type { LoadFlags } from './options.ts';

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
  throw new UsageError(
    'ASSAY_OPTION_INVALID',
    `${option}: the embedded platform ends with this command, and instances elsewhere cannot call it`,
    'name a target by --config or --base-url; `assay platform` starts one that stays',
  );
}
