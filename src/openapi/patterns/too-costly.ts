// Thrown where a value would take longer to judge than a run can wait: nothing is said of it then.

export class TooCostly extends Error {}
