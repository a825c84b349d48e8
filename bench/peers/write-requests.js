/** What the writing servers share: the paths of the requests, and nothing of a database. */

/** @returns the operation and its id. */
export function routeOf(method, url) {
  if (method === 'POST' && url === '/store/orders') return { operation: 'createOrder' };
  if (method === 'POST' && url === '/pets') return { operation: 'createPet' };
  if (method === 'PATCH' && url.startsWith('/pets/')) return { operation: 'updatePet', id: Number(url.slice('/pets/'.length)) };
  if (method === 'DELETE' && url.startsWith('/store/orders/'))
    return { operation: 'deleteOrder', id: Number(url.slice('/store/orders/'.length)) };
  return undefined;
}

export const STATUS = { createOrder: 201, createPet: 201, updatePet: 200, deleteOrder: 204 };
