// The clauses on versions, redirects, health and internal paths: what each says, what it needs, who judges it and how a breach is repaired.
import { A_REFUSAL, AN_ANSWER, entries, TWO_ANSWERS } from './entry.ts';

export const VER = entries('VER', { severity: 'form', needs: AN_ANSWER, on: ['experiment'] }, [
  {
    id: 'VER-01',
    text: 'A header that carries a version (X-API-Version, API-Version, Accept-Version, Stripe-Version style) is ignored: same status and shape.',
    needs: TWO_ANSWERS,
    judges: ['checks/ver/ver-01-ignored-version'],
    experiments: ['probes/requests/version-header'],
    repair: 'Ignore version headers.',
  },
  {
    id: 'VER-02',
    text: 'No Sunset and no Deprecation header.',
    on: ['exchange'],
    judges: ['checks/ver/ver-02'],
    repair: 'Remove Sunset and Deprecation headers.',
  },
  {
    id: 'VER-03',
    level: 'discover',
    text: 'Whether anything answers where the next version would stand.',
    judges: ['probes/requests/platform-places'],
    experiments: ['probes/requests/platform-places'],
    repair: 'Nothing is to be repaired.',
  },
]);

export const RED = entries('RED', { severity: 'schema' }, [
  {
    id: 'RED-01',
    text: 'A 302 carries a Location that parses as a URL, absolute or relative. The harness does not follow it.',
    needs: AN_ANSWER,
    on: ['exchange'],
    judges: ['checks/red/red-01'],
    repair: 'Send a Location that is a URL, percent-encoded where it has to be.',
  },
]);

export const HEALTH = entries('HEALTH', { severity: 'availability' }, [
  {
    id: 'HEALTH-01',
    text: 'The liveness check answers without a token, with a success.',
    tolerance: 'Rate-limit headers absent or non-numeric: fine.',
    needs: AN_ANSWER,
    on: ['experiment'],
    judges: ['probes/requests/platform-places'],
    experiments: ['probes/requests/platform-places'],
    shownByTraffic: true,
    repair: 'Serve the liveness path without authentication and without dependencies.',
  },
]);

export const INT = entries('INT', { severity: 'security' }, [
  {
    id: 'INT-01',
    text: 'Nothing internal answers a public key with a success.',
    tolerance: '401, 403, 404 all fine. Probed: the paths that the contract names, and a nonsense path.',
    needs: A_REFUSAL,
    on: ['experiment'],
    judges: ['probes/requests/platform-places'],
    experiments: ['probes/requests/platform-places'],
    shownByTraffic: true,
    repair: 'Let the gateway refuse internal paths from outside.',
  },
]);
