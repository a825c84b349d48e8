/** `npm run administer -- accounts`, `keys`, `limits`: administration of accounts from the command line. */
import { administer } from '@specwright/accounts';
import { NAME } from './config.ts';
import { schema } from './db/migrations/index.ts';

await administer({ name: NAME, schema }, process.argv.slice(2));
