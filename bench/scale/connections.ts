/** What open connections cost: memory for each, and whether a request costs more beside ten thousand that are idle. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { measureOverLoopback } from '../requests/loopback.ts';
import { CONSTANT_TARGET, exchangeOf } from '../requests/operations.ts';
import { withServers } from '../requests/servers/running-server.ts';
import { serversOf } from '../requests/servers/servers.ts';

const CONNECTIONS = 10_000;
/** Opened at once: no more requests than run at once on a server that was idle, so that none has to wait or is refused. */
const AT_ONCE = 8;
const ROUNDS = 2;

export interface ConnectionsFigure {
  readonly connections: number;
  /** Memory of the server's process for each connection, in KiB. */
  readonly kibPerConnection: number;
  /** CPU of the server's process for a request on 32 other connections, in µs. */
  readonly cpu: { readonly alone: number; readonly beside: number };
}

/** Each has sent a request and got its response, as a client has that keeps its connection. */
async function openConnection(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.write(exchangeOf('getPet', CONSTANT_TARGET).request);
  const [response] = (await once(socket, 'data')) as [Buffer];
  if (!response.toString('latin1').startsWith('HTTP/1.1 200 ')) throw new Error(`answered ${response.toString('latin1')}`);
  return socket;
}

export async function measureConnections(node: string, spec: string, show: (text: string) => void): Promise<ConnectionsFigure> {
  const [entry] = serversOf('loopback', ['petstore-built']);
  if (entry === undefined) throw new Error('there is no server petstore-built');
  return withServers([{ ...entry, execArgv: ['--expose-gc'] }], { node, env: { SPEC: spec } }, async (servers) => {
    const [server] = servers;
    if (server === undefined) throw new Error('no server');
    const measure = async () => {
      const options = { operations: ['getPet'] as const, target: CONSTANT_TARGET, rounds: ROUNDS };
      return (await measureOverLoopback(servers, options))[0]?.cpu ?? NaN;
    };
    show('connections: alone');
    const alone = await measure();
    const before = await server.ask({ kind: 'memory' });
    const sockets: Socket[] = [];
    try {
      while (sockets.length < CONNECTIONS) {
        show(`connections: ${sockets.length} open`);
        sockets.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => openConnection(server.port)))));
      }
      const after = await server.ask({ kind: 'memory' });
      const beside = await measure();
      return { connections: sockets.length, kibPerConnection: (after - before) / 1024 / sockets.length, cpu: { alone, beside } };
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });
}
