/** The README: its example is the code in test/readme, which runs; it names every export. */
import * as accounts from '@specwright/accounts';
import { testReadme } from '../../../test/support/tools/readme.ts';

testReadme({ testFile: import.meta.url, exported: accounts, example: 'readme/keys.ts', prints: ['true 59', 'undefined'] });
