/** Which keys are valid. */

/** Whether a row of `api_keys` is a valid key, by PostgreSQL's clock: all servers agree on what has expired. */
export const IS_VALID = 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())';
