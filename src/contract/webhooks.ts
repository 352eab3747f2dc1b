// Lists the answers that the receiver of webhooks may give to a delivery.

/** accept: 200. slow: 200 after a while. hang: no answer. 500 and 410: that status. */
const SCRIPTED_ANSWERS = ['accept', 'slow', 'hang', '500', '410'] as const;
export type ScriptedAnswer = (typeof SCRIPTED_ANSWERS)[number];
