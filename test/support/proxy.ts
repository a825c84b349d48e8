/** Names that tests of packages still use. */
export { startPostgresProxy as startProxy } from '@specwright/testing';
