// Ends work on a value that would take longer than a run can wait.

/** Caught by whoever asked for the judgement: nothing is said of the value then. */
export class TooCostly extends Error {}
