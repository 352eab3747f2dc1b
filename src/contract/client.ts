// Defines scenarios, and the variables that `assay client` gives to the command that it runs. Fixed for everyone who
// writes such a command.

/** The tasks that a command may know; the contract says which operation each is about. */
export type ClientTask = 'read-store' | 'walk-logs' | 'walk-notifications' | 'create-store' | 'pay';

/** The environment variables that tell the command what to do. */
export const CLIENT_VARIABLES = {
  baseUrl: 'ASSAY_BASE_URL',
  token: 'ASSAY_TOKEN',
  task: 'ASSAY_TASK',
  storeId: 'ASSAY_STORE_ID',
} as const;

/** The command ends with it where it does not know the task. */
export const UNKNOWN_TASK_EXIT = 64;

/** How long a client is told to wait: in seconds, as a date so many seconds ahead, or not at all. */
export type StatedWait = { readonly form: 'seconds' | 'date'; readonly seconds: number } | null;

/** The trouble that a client meets in a scenario. `status` null: the connection is closed once the request was received. */
export interface Trouble {
  readonly status: number | null;
  readonly wait: StatedWait;
  /** How many requests for one thing meet it, before they are answered well; null: all of them. */
  readonly times: number | null;
  /** Set: `type` and `code` of the error are ones that no client can know. */
  readonly isUnknown?: true;
}

/** One run of the command. */
export interface Scenario {
  /** "read-store 429-seconds". */
  readonly id: string;
  readonly task: ClientTask;
  /** In words: "429 with Retry-After in seconds". */
  readonly title: string;
  /** null: nothing goes wrong. In a walk the second page meets it. */
  readonly trouble: Trouble | null;
}

/** Items that one scenario serves. */
export interface Stock {
  readonly storeId: string;
  /** Ids of the activity log, newest first. */
  readonly logs: readonly string[];
  /** Ids of the notifications of the store's domains. */
  readonly notifications: readonly string[];
}

/** A call as far as it decides what is answered. */
export interface ClientCall {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Value of a header by its name in lower case. */
  readonly header: (name: string) => string | null;
}

/** An answer as it is sent. */
export interface Told {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Facts of its request that an error tells. */
export interface Circumstance {
  readonly path: string;
  readonly nowMs: number;
  readonly requestId: string;
  /** Stands in the error's message and nowhere else, so that it is found again. */
  readonly marker: string;
}

/** Answers a client in the place of the platform that it is made for. Pure. */
export interface StandIn {
  /** The operation that the call is of; null: none that needs a token. */
  operationOf(call: Pick<ClientCall, 'method' | 'path'>): string | null;
  /** The answer where no token is asked for; null: nothing stands there. */
  open(call: Pick<ClientCall, 'path'>): Told | null;
  /** The answer of a success; null: nothing stands at this path or under this id. */
  success(call: ClientCall, stock: Stock): Told | null;
  /** The error that goes with the status. */
  refusal(status: number, about: Circumstance): Told;
  /** The trouble as it is answered. */
  troubled(trouble: Trouble & { readonly status: number }, about: Circumstance): Told;
}
