// A planned request as k6's scripts send it: whole, but for the secret of the key that sends it and the values of the
// headers that all requests share.
import { placedAsShown } from '../../client/placing.ts';
import { wireOf, withConstant } from '../../client/wire.ts';
import { type Addressed, baseUrlOf } from '../../config/addresses.ts';
import type { Config } from '../../config/config.ts';
import { type TimeLimited, timeoutSecondsOf } from '../../config/time-limits.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import { type ScriptedHeader, type ScriptedRequest, SECRET } from '../k6/requests-plan.ts';

/** The headers that all requests to the target share, and what k6's environment tells of them and of the way there. */
export function sharedBy({ target, proxies }: Pick<Config, 'target' | 'proxies'>): {
  readonly headers: readonly ScriptedHeader[];
  readonly environment: Readonly<Record<string, string>>;
} {
  const { headers = [], tls } = target;
  const variableOf = (at: number): string => `ASSAY_HEADER_${at}`;
  const { cert = null, key = null } = tls ?? {};
  return {
    headers: headers.map(({ name, secret }, at) => ({ name, secret, variable: variableOf(at) })),
    environment: {
      ...Object.fromEntries(headers.map(({ value }, at) => [variableOf(at), value])),
      ...(cert === null || key === null ? {} : { ASSAY_TLS_CERT: cert, ASSAY_TLS_KEY: key }),
      // Go's rules for these are those of the run's own client.
      ...(proxies === undefined
        ? {}
        : { HTTP_PROXY: proxies.http ?? '', HTTPS_PROXY: proxies.https ?? '', NO_PROXY: proxies.none }),
    },
  };
}

/** The plan as a scripted request of the operation, sent where its service lives. */
export function scripted(plan: RequestPlan, operation: string, config: Addressed & TimeLimited): ScriptedRequest {
  const wire = wireOf(
    plan,
    placedAsShown(plan, () => SECRET),
  );
  const own = { ...wire, headers: wire.headers.filter(([name]) => name !== 'User-Agent') };
  const shared = sharedBy(config).headers.map(({ name, variable }) => [name, `{{${variable}}}`] as const);
  const headers = Object.fromEntries(withConstant(own, shared).headers);
  const request = { operation, method: wire.method, url: urlOf(config, plan), headers, body: wire.body };
  const answerLimitSeconds = timeoutSecondsOf(config)(operation);
  return answerLimitSeconds === config.target.timeoutSeconds
    ? request
    : { ...request, answerLimitSeconds: answerLimitSeconds as number };
}

/** Where a request goes. */
export function urlOf(config: Addressed, { service, path, query }: RequestPlan): string {
  return `${baseUrlOf(config, service)}${path}${query === '' ? '' : `?${query}`}`;
}
