/** The Java client, with OpenAPI Generator and Maven. They take half a minute of CPU, so it has a command of its own. */
import { testForeignClient } from '../support/service/foreign-clients.ts';

testForeignClient('java', [
  ['mvn', '--version'],
  ['javac', '--version'],
]);
