/** What TypeScript 7 says of mistakes in handlers: short, and with the name of the operation, the status and the property. */
import { describeMessages } from '../support/mistakes.ts';

describeMessages('node_modules/typescript-native/bin/tsc');
