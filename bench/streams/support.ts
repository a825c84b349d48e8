/** What the servers of this bench have in common. */

export const MIB = 1024 * 1024;
export const GIB = 1024 * MIB;

/** What an event says. */
export const EVENT = { petId: 7, quantity: 3, status: 'available' };

const ZEROS = Buffer.alloc(64 * 1024);

/** 2 GiB. */
export async function* zeros(): AsyncGenerator<Buffer> {
  for (let sent = 0; sent < 2 * GIB; sent += ZEROS.length) yield await Promise.resolve(ZEROS);
}

/** Wakes all that wait. */
export function createTicks(): { next: () => void; wait: () => Promise<void> } {
  let resolve: () => void = () => undefined;
  const create = () => new Promise<void>((done) => (resolve = done));
  let promise = create();
  return {
    next: () => {
      resolve();
      promise = create();
    },
    wait: () => promise,
  };
}
