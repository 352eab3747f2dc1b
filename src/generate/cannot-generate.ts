// Why no value of a schema can be made: caught by whoever asked for one, and told to the user as it stands.

/** Its message completes "cannot generate a value, because …". Caught by whoever asked for the value. */
export class CannotGenerate extends Error {}

/** The value would be too large, or take too long to make: trying again is of no use. */
export class BeyondMeans extends CannotGenerate {}
