// What `assay client` gives the command that it runs, and what a scenario is. Fixed for everyone who writes such a command.

/** The tasks that a command may know, each with the operation that it is about. */
export const CLIENT_TASKS = {
  'read-store': 'GET /api/v1/stores/{storeId}',
  'walk-logs': 'GET /api/v1/auth/activity/logs',
  'walk-notifications': 'GET /api/v1/stores/{storeId}/domains/notifications',
  'create-store': 'POST /api/v1/stores',
  pay: 'POST /api/v1/stores/process-payment',
} as const;

export type ClientTask = keyof typeof CLIENT_TASKS;

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

/** What goes wrong in a scenario. `status` null: the connection is closed once the request was received. */
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
