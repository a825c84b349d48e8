/** What TypeScript 5.9 says of mistakes in handlers: the same lines as TypeScript 7, which the quick tests run. */
import { describeMessages } from '../support/mistakes.ts';

describeMessages('node_modules/typescript/bin/tsc');
