/** Names that tests of packages still use. */
export { until } from '@specwright/testing';
