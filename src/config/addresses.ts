// Where requests go: a service has an address of its own, or that of the target.
import type { Config } from './config.ts';

export type Addressed = Pick<Config, 'target' | 'services'>;

/** The address that the paths of a service are appended to; that of the target for null. Without trailing slash. */
export function baseUrlOf({ target, services }: Addressed, service: string | null): string {
  return services.find(({ name }) => name === service)?.baseUrl ?? target.baseUrl;
}

/** Every address that requests go to, each once; that of the target comes first. */
export function baseUrlsOf({ target, services }: Addressed): readonly string[] {
  return [...new Set([target.baseUrl, ...services.flatMap(({ baseUrl }) => baseUrl ?? [])])];
}
