/** What measures the process, of prom-client: with its dependencies 6 MB, most of it tests of a library for trees. */
export { collectDefaultMetrics, Registry } from 'prom-client';
