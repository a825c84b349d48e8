/** Jest's sequencer for mutants: the order of the command line, so that what knows most of a file comes first. */
import { resolve } from 'node:path';

/** What jest calls: https://jestjs.io/docs/configuration#testsequencer-string */
export default class InOrder {
  sort(tests) {
    const order = new Map(process.argv.map((arg, i) => [resolve(arg), i]));
    return [...tests].sort((a, b) => (order.get(a.path) ?? 0) - (order.get(b.path) ?? 0));
  }
  shard(tests) {
    return tests;
  }
  allFailedTests(tests) {
    return tests;
  }
  cacheResults() {}
}
