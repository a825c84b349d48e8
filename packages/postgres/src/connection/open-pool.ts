/** A pool of `pg` itself, for a library that needs one. */
import pg from 'pg';
import { boundsOf, clientOptions, type ConnectOptions } from './connect.ts';
import { clientClass } from './traced-client.ts';

type Release = (destroy?: Error | boolean) => void;
type OnConnected = (error: Error | undefined, client: pg.PoolClient | undefined, release: Release) => void;

/**
 * A client may be given back twice. graphile-worker 0.16.6 does so when it is stopped while its LISTEN is unanswered, which then
 * fails: in a promise that is not awaited, so the error of `pg` would end the process. Nothing is given back where `pg` has
 * passed no client, after a timeout.
 */
class Pool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>;
  override connect(onConnected: OnConnected): void;
  override connect(onConnected?: OnConnected): Promise<pg.PoolClient> | void {
    if (onConnected === undefined) return super.connect();
    return super.connect((error, client, release: Release | undefined) => {
      let giveBack = release;
      onConnected(error, client, (destroy) => {
        giveBack?.(destroy);
        giveBack = undefined;
      });
    });
  }
}

/**
 * A pool whose connections are as those of `connect`, but for how values are read.
 *
 * @param options.pool the maximum number of connections. @param more further options of `pg`.
 */
export function openPool(options: ConnectOptions, more: pg.PoolConfig = {}): pg.Pool {
  const { url, name = 'specwright', pool: max = 10 } = options;
  const pool = new Pool({ ...clientOptions(url, name, boundsOf(options)), max, Client: clientClass() as never, ...more });
  const ignore = () => undefined;
  // The query on a lost connection gets the error; without a listener it would also end the process.
  return pool.on('error', ignore).on('connect', (client) => void client.on('error', ignore));
}
