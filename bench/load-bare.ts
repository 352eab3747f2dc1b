// The yardstick of bench/load.ts, run by k6: a loop that does nothing but get.
import http from 'k6/http';
import type { Options } from 'k6/options';

export const options: Options = JSON.parse(__ENV.ASSAY_OPTIONS ?? '');

export default function get(): void {
  http.get(__ENV.ASSAY_URL ?? '');
}
