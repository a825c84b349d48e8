/** `npm run -s administer -- GROUP COMMAND`: administration of accounts, keys, limits and messages from the command line. */
import { administer } from '@specwright/accounts';
import { deliveryCommands } from '@specwright/accounts/webhooks';
import { NAME } from './config.ts';
import { replayMessages } from './db/messages.ts';
import { schema } from './db/migrations/index.ts';

await administer({ name: NAME, schema, commands: { messages: deliveryCommands(replayMessages) } }, process.argv.slice(2));
