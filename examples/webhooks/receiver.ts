/** The other side: the program of the customer, who is told of orders. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createWebhookReceiver, nodeWebhookHandler } from './generated/client.ts';
import type { Schemas } from './generated/contract.ts';

export async function startReceiver(port: number, secret: () => string, onOrder: (order: Schemas['Order']) => void) {
  const receiver = createWebhookReceiver({ secret, handlers: { orderPlaced: onOrder } });
  const server = createServer(nodeWebhookHandler(receiver)).listen(port);
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

const { SECRET } = process.env;
if (SECRET !== undefined) {
  const { url } = await startReceiver(3001, () => SECRET, (order) => console.log('an order was placed:', order)); // prettier-ignore
  console.log(`waiting for orders at ${url}`);
}
