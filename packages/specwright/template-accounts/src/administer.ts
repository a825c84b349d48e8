/** `npm run -s administer -- GROUP COMMAND`: administration of accounts, keys and limits from the command line. */
import { administer } from '@specwright/accounts';
import { NAME } from './config.ts';
import { schema } from './db/migrations/index.ts';

await administer({ name: NAME, schema }, process.argv.slice(2));
