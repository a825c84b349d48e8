/** Names that tests of packages still use. */
export { createDatabase, type TestDatabase } from '@specwright/testing';
