/** Who calls this service, once a security scheme has accepted the credentials. */

export interface Caller {
  readonly accountId: number;
  readonly keyId: number;
  readonly plan: string;
  /** Requests in a minute and in a day, if the account has numbers of its own. */
  readonly quota?: { readonly minute: number; readonly day: number } | undefined;
}

/** What stands of a caller in the line of the log that ends each request. Never a credential. */
export const logged = ({ accountId }: Caller): object => ({ accountId });
