/** A client of the server whose address is the argument. The script writes the type of the expression before each `//?`. */
import { createClient } from './generated/client.ts';

const client = createClient({ baseUrl: process.argv[2] ?? 'http://localhost:3000' });
const { log } = console;

// shown
const reply = await client.getPet({ path: { petId: 7 } });
if (reply.status === 200) log(reply.body.status); //?
if (reply.status === 500) log(reply.body.code); //?
// end
