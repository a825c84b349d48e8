/** The deadline of requests in the servers that are measured. */

/**
 * Admission is in the way of every request, and refuses none: what it refuses depends on the deadline, and on a busy machine the figures
 * would be those of refusals.
 */
export const REQUEST_TIMEOUT_MS = 600_000;
