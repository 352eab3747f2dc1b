// The reference platform without its sockets: a call goes in, an answer comes out.
// Order: authentication, rate limit, unknown path or method, body, validation, idempotency, effect.
import type { Clock } from '../clock/clock.ts';
import type { Admission, Deviation, Hooks, Surroundings } from './deviation.ts';
import {
  type FieldFailure,
  methodNotAllowed,
  PROBLEMS,
  type Problem,
  refusal,
  throttled,
  validationFailed,
} from './envelope.ts';
import { IDEMPOTENCY_HEADER, PATH_PREFIX, PAYMENT_OPERATION, RATE_HEADERS } from './facts.ts';
import type { Answer, Call, Route } from './http/call.ts';
import { copied, isDeeperThan } from './json.ts';
import { FixedWindow, type Limit } from './limits/limiter.ts';
import { roleOf } from './schema/role.ts';
import { bare, operationsOf, type ServedDocument } from './schema/served.ts';
import { failuresOf } from './schema/validation.ts';
import { Actions } from './store/act.ts';
import { Collections } from './store/collections.ts';
import { digest } from './store/hash.ts';
import { Resources } from './store/resource.ts';
import { Tokens } from './tokens.ts';

export interface PlatformOptions {
  readonly documents: readonly ServedDocument[];
  readonly deviations: readonly Deviation[];
  readonly docsUrl: string;
  readonly seed: number;
  /** Limits by plan name; "export" for the export throttle. */
  readonly limits: Readonly<Record<string, Limit>>;
  readonly clock: Clock;
  /** Unlike that of every other start: tokens are signed and ids of requests begun with what is drawn from it. Secret. */
  readonly instance: string;
  /** Told what happened, for webhooks; absent: nobody is. */
  readonly onEvent?: (type: string, data: unknown) => void;
}

/** Events that subscribers are told of, by the operation that makes them happen. */
const EVENTS: Readonly<Record<string, string>> = {
  'POST /api/v1/stores': 'store.created',
  [PAYMENT_OPERATION]: 'payment.processed',
};

/** High enough never to disturb a local run; exports are soon allowed again, for a run waits until they are. */
export const DEFAULT_LIMITS = {
  standard: { calls: 30_000, seconds: 10 },
  growth: { calls: 60_000, seconds: 10 },
  enterprise: { calls: 120_000, seconds: 10 },
  export: { calls: 20, seconds: 2 },
} satisfies Record<string, Limit>;

const MAX_BODY_DEPTH = 200;

export class Platform {
  readonly routes: readonly Route[];
  readonly tokens: Tokens;
  readonly resources: readonly Resources[];
  /** In force, by plan name; "export" for the export throttle. */
  readonly limits: Readonly<Record<string, Limit>>;
  private readonly options: PlatformOptions;
  private readonly limiters = new Map<string, FixedWindow>();
  private readonly idempotency = new Idempotency();
  private readonly actions: Actions;
  private readonly hooks: readonly Hooks[];

  constructor(options: PlatformOptions) {
    this.options = options;
    this.tokens = new Tokens(options.clock.now(), options.instance);
    const changed = options.deviations.flatMap((one) => Object.entries(one.limits ?? {}));
    const limits: Record<string, Limit> = { ...DEFAULT_LIMITS, ...Object.fromEntries(changed), ...options.limits };
    this.limits = limits;
    for (const [plan, limit] of Object.entries(limits)) this.limiters.set(plan, new FixedWindow(limit));
    const services = options.documents.map(operationsOf);
    this.resources = services.map((operations) => new Resources(operations));
    this.routes = services.flatMap((operations, at) => {
      const resources = this.resources[at];
      return resources === undefined
        ? []
        : operations.map((operation) => ({ operation, role: roleOf(operation, resources) }));
    });
    this.actions = new Actions(new Collections(options.seed), options.docsUrl, limits.export ?? DEFAULT_LIMITS.export);
    const around: Surroundings = {
      docsUrl: options.docsUrl,
      seed: options.seed,
      routes: this.routes,
      collectionOf: (call) => this.actions.collectionOf(call),
    };
    this.hooks = options.deviations.flatMap((one) => one.hooks?.(around) ?? []);
  }

  /** Authenticates and counts the call, before its body is read; the answer of a call that goes no further, else null. */
  admit(call: Call, allowed: readonly string[] | null): Answer | null {
    let admission = this.authenticated(call);
    for (const hook of this.hooks) admission = hook.authenticate?.(call, admission) ?? admission;
    call.key = admission.key;
    const refused = this.throttle(call);
    if (admission.problem !== null) return this.refuse(call, admission.problem);
    if (refused !== null) return this.refuse(call, refused);
    if (call.route !== null) return null;
    return this.refuse(call, allowed === null ? PROBLEMS.notFound : methodNotAllowed(allowed));
  }

  /** Answers a call that was admitted. `raw` is its body as received. */
  respond(call: Call, route: Route, raw: Buffer | undefined): Answer {
    const unreadable = readBody(call, route, raw);
    if (unreadable !== null) return this.refuse(call, unreadable);
    let failures: readonly FieldFailure[] = failuresOf(call, route);
    for (const hook of this.hooks) failures = hook.validate?.(call, failures) ?? failures;
    if (failures.length > 0) return this.refuse(call, validationFailed(failures));
    let perform = () => this.once(call, route, raw?.toString('utf8') ?? '');
    for (const hook of this.hooks) {
      if (hook.act === undefined) continue;
      const inner = perform;
      perform = () => hook.act?.(call, inner) ?? inner();
    }
    return perform();
  }

  refuse(call: Call, problem: Problem): Answer {
    return refusal(call, problem, this.options.docsUrl);
  }

  /** The answer as it is sent: standing headers added, deviations have had their say. */
  finish(call: Call, answer: Answer): Answer {
    let sent: Answer = { ...answer, headers: { ...answer.headers, ...call.standing } };
    const altering = this.hooks.filter(({ answer }) => answer !== undefined);
    // Bodies are kept and shown again; who alters one alters a copy.
    if (altering.length > 0 && sent.body !== undefined) sent.body = copied(sent.body);
    for (const hook of altering) sent = hook.answer?.(call, sent) ?? sent;
    return sent;
  }

  private authenticated(call: Call): Admission {
    const key = this.tokens.keyOf(call.headers.authorization, call.receivedAt);
    const open = call.route === null ? !call.path.startsWith(`${PATH_PREFIX}/`) : call.route.operation.public;
    if (open) return { key, problem: null };
    if (key === null) return { key, problem: PROBLEMS.tokenInvalid };
    return { key, problem: key.locked ? PROBLEMS.accountLocked : null };
  }

  private throttle(call: Call): Problem | null {
    const limiter = call.key === null ? undefined : this.limiters.get(call.key.plan);
    if (call.key === null || limiter === undefined) return null;
    let grant = limiter.take(call.key.name, call.receivedAt);
    for (const hook of this.hooks) grant = hook.limit?.(call, grant) ?? grant;
    call.standing = {
      [RATE_HEADERS.limit]: String(grant.limit),
      [RATE_HEADERS.remaining]: String(grant.remaining),
      [RATE_HEADERS.reset]: String(grant.resetSeconds),
    };
    return grant.granted ? null : throttled('rate_limit_exceeded', grant.retryAfterSeconds);
  }

  /** The effect, at most once per idempotency key where the operation declares the header. */
  private once(call: Call, route: Route, body: string): Answer {
    const name = IDEMPOTENCY_HEADER.toLowerCase();
    const key = call.headers[name];
    const declared = route.operation.parameters.some((one) => one.in === 'header' && one.name.toLowerCase() === name);
    if (!declared || typeof key !== 'string' || key === '') return this.effect(call, route);
    const scope = `${call.key?.account ?? 'everyone'} ${route.operation.key}`;
    const request = `${call.url}\n${body}`;
    const known = this.idempotency.recall(scope, key, request);
    if (known.kind === 'replay') return known.answer;
    if (known.kind === 'other-request') return this.refuse(call, PROBLEMS.keyReused);
    const answer = this.effect(call, route);
    this.idempotency.keep(scope, key, request, answer);
    return answer;
  }

  private effect(call: Call, route: Route): Answer {
    const answer = this.actions.perform(call, route);
    const type = EVENTS[route.operation.key];
    if (type !== undefined && answer.status < 300) this.options.onEvent?.(type, answer.body);
    return answer;
  }
}

/** Decodes the body into the call; what is wrong with it, or null. */
function readBody(call: Call, route: Route, raw: Buffer | undefined): Problem | null {
  if (raw === undefined || raw.length === 0) return null;
  const declared = route.operation.body?.content;
  const type = bare(call.headers['content-type'] ?? '');
  const json = /^application\/(.+\+)?json$/.test(type);
  if (declared === undefined ? !json : !declared.has(type)) return PROBLEMS.mediaType;
  if (!json) {
    call.body = raw;
    return null;
  }
  try {
    call.body = JSON.parse(raw.toString('utf8'));
  } catch {
    // The answer may not quote what was sent.
    return PROBLEMS.malformedJson;
  }
  return isDeeperThan(call.body, MAX_BODY_DEPTH) ? PROBLEMS.tooDeep : null;
}

type Remembered =
  | { readonly kind: 'new' }
  | { readonly kind: 'replay'; readonly answer: Answer }
  | { readonly kind: 'other-request' };

/** The first success under a key is kept and given again; keys belong to one account and operation. */
class Idempotency {
  private readonly kept = new Map<string, { request: string; answer: Answer }>();

  /** Answer that was remembered for this key; `request` is the text that a resend must repeat. */
  recall(scope: string, key: string, request: string): Remembered {
    const found = this.kept.get(`${scope}\n${key}`);
    if (found === undefined) return { kind: 'new' };
    if (found.request !== digest(request)) return { kind: 'other-request' };
    return { kind: 'replay', answer: { ...found.answer, headers: { ...found.answer.headers } } };
  }

  /** Keeps a success. Errors are not kept: a corrected request may use the key. */
  keep(scope: string, key: string, request: string, answer: Answer): void {
    if (answer.status >= 300) return;
    this.kept.set(`${scope}\n${key}`, {
      request: digest(request),
      answer: { ...answer, headers: { ...answer.headers } },
    });
  }
}
