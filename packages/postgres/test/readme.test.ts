/** The README: its example is the code in test/readme, which runs; it names every export. */
import * as postgres from '@specwright/postgres';
import { testReadme } from '../../../test/support/tools/readme.ts';

const prints = ['undefined', '1', 'AppError: there is a book with this ISBN'];
testReadme({ testFile: import.meta.url, exported: postgres, example: 'readme/books.ts', prints });
