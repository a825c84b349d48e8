/** The Go client, with oapi-codegen. Compiling the generator takes most of a minute of CPU, so it has a command of its own. */
import { testForeignClient } from '../support/service/foreign-clients.ts';

testForeignClient('go', [['go', 'version']]);
