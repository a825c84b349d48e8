/** What this service is called, and where its contract is. */

/** The name of its database and of its connections there: letters, digits and underscores. */
export const NAME = 'petstore';

/** From the root of the checkout. */
export const SPEC_FILE = 'spec/petstore.yaml';
