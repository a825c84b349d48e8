/** The contract of the project, from its root. */
export const SPEC_FILE = 'spec/petstore.yaml';
