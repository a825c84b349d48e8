/** `npm run bench -- NAME`: runs one scenario of this folder. */
import { runProgram, type CommandEntry } from '@specwright/server/command';

const SCENARIOS: Readonly<Record<string, CommandEntry>> = {
  requests: { summary: 'CPU of a request, beside other servers', load: () => import('./requests.ts') },
  writes: {
    summary: 'CPU of a write with PostgreSQL, of the server and of the database, beside other servers',
    load: () => import('./writes.ts'),
  },
  streams: { summary: 'memory and CPU of uploads, downloads and open streams of events', load: () => import('./streams.ts') },
  boot: { summary: 'cold start of the pet store, and the start of a server with 845 operations', load: () => import('./boot.ts') },
  hops: { summary: 'files and calls of our code in one warm request', load: () => import('./hops.ts') },
  ratchet: { summary: 'the gate: CPU of a request beside the commit that this tree comes from', load: () => import('./ratchet.ts') },
  documents: { summary: 'compiling the schemas of a document: CPU, heap, and whom it keeps waiting', load: () => import('./documents.ts') },
};

process.exitCode = await runProgram({ name: 'bench', invocation: 'npm run bench --', commands: SCENARIOS }, process.argv.slice(2));
