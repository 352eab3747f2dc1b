// Durations of answers in classes, as `report.json` holds them.
/**
 * Durations in classes of a twelfth: class n counts those above 2^((n-1)/8) ms and up to 2^(n/8) ms, so that shares of
 * many operations can be added and still tell any percentile within 5 %.
 */
export type Latency = Readonly<Record<string, number>>;
