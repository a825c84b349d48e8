/** Connections that the primary has handed to a worker which ends before it takes them: node:cluster forgets them, and they stay open. */
import type { Worker } from 'node:cluster';
import { Socket } from 'node:net';

/** What this file uses of node:cluster's messages: a connection on its way to a worker, the same in every version of Node so far. */
interface NewConnection {
  readonly cmd: 'NODE_CLUSTER';
  readonly act: 'newconn';
  readonly seq: number;
}

/** How often, and after how many ms, to look whether the last messages of a process that has ended were read. */
const MAX_LOOKS = 50;
const LOOK_INTERVAL_MS = 10;

/** What this file uses of them: from a worker, whether it takes the connection. */
interface Answer {
  readonly ack?: number;
  readonly accepted?: boolean;
}

/** In the primary: gives what a worker has not taken when it ends to another one, or resets it. @param isServed whether there is one. */
export function keepHandedOver({ process: child }: Worker, isServed: () => boolean): void {
  const untaken = new Map<number, object>();
  const send = child.send.bind(child) as (...args: unknown[]) => boolean;
  child.send = (...args: unknown[]) => {
    const [message, handle] = args as [Partial<NewConnection>, object | undefined];
    if (message.cmd === 'NODE_CLUSTER' && message.act === 'newconn' && handle !== undefined) untaken.set(message.seq as number, handle);
    return send(...args);
  };
  // A worker answers before it reads from the connection, so one that it has not answered for has lost nothing.
  child.on('internalMessage', ({ ack }: Answer) => {
    if (ack !== undefined) untaken.delete(ack);
  });
  let isDisconnected = false;
  // Emitted after the last answer was read. Before this listener, node:cluster's own has removed the worker.
  child.once('disconnect', () => {
    isDisconnected = true;
    for (const [ack, handle] of untaken) {
      if (isServed())
        child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack, accepted: false } satisfies Answer & Pick<NewConnection, 'cmd'>);
      else new Socket({ handle, pauseOnCreate: true } as object).resetAndDestroy();
    }
  });
  // A process that ends while a handle is on its way to it never confirms that, and Node waits for it before it emits the event.
  const disconnect = (looks: number): void => {
    if (isDisconnected) return;
    // Until its last messages are read.
    if (child.connected && looks > 0) return void setTimeout(disconnect, LOOK_INTERVAL_MS, looks - 1);
    child.emit('disconnect');
  };
  child.once('exit', () => setImmediate(disconnect, MAX_LOOKS));
}
