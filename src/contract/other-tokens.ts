// Tokens beside the keys that the configuration gives, each with the clause that needs it.

export type OtherToken = 'expired' | 'locked';

/** Source: AUTH-03 and AUTH-04, which are "not tested" without them. */
export const OTHER_TOKENS: readonly {
  readonly token: OtherToken;
  readonly clause: string;
  /** Why the clause is not tested. */
  readonly lack: string;
}[] = [
  { token: 'expired', clause: 'AUTH-03', lack: 'no expired token is configured (credentials.expired)' },
  { token: 'locked', clause: 'AUTH-04', lack: "no locked account's token is configured (credentials.locked)" },
];
