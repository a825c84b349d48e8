/** Node's own server and `pg` with named statements, the floor of a write: what each needs. No key, no limit, no log, no event. */
import http from 'node:http';
import pg from 'pg';

const STATUS = { createOrder: 201, createPet: 201, updatePet: 200, deleteOrder: 204 };

const STATEMENTS = {
  take: 'UPDATE pets SET quantity = quantity - $3, version = version + 1 WHERE account_id = $1 AND id = $2 AND quantity >= $3 RETURNING quantity',
  give: 'UPDATE pets SET quantity = quantity + $3, version = version + 1 WHERE account_id = $1 AND id = $2 RETURNING quantity',
  order: 'INSERT INTO orders (account_id, pet_id, quantity) VALUES ($1, $2, $3) RETURNING id, pet_id AS "petId", quantity, complete',
  unorder: 'DELETE FROM orders WHERE account_id = $1 AND id = $2 AND NOT complete RETURNING pet_id AS "petId", quantity',
  pet: 'INSERT INTO pets (account_id, category_id, name, status) VALUES ($1, $2, $3, $4) RETURNING id, name, category_id AS "categoryId", status',
  rename:
    'UPDATE pets SET name = $3, version = version + 1 WHERE account_id = $1 AND id = $2 RETURNING id, name, category_id AS "categoryId", status',
};

const withNumbers = (row) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, /^\d+$/.test(value) ? Number(value) : value]));

function openWrites(url) {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  const run = async (client, name, values) => (await client.query({ name, text: STATEMENTS[name], values })).rows[0];

  async function transaction(work) {
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      const result = await work(client);
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    } finally {
      client.release();
    }
  }

  return {
    createOrder: (account, _id, { petId, quantity = 1 }) =>
      transaction(async (client) => {
        if ((await run(client, 'take', [account, petId, quantity])) === undefined) throw new Error('out of stock');
        return withNumbers(await run(client, 'order', [account, petId, quantity]));
      }),
    createPet: async (account, _id, { categoryId, name, status }) =>
      withNumbers(await run(pool, 'pet', [account, categoryId, name, status])),
    updatePet: async (account, id, { name }) => withNumbers(await run(pool, 'rename', [account, id, name])),
    deleteOrder: (account, id) =>
      transaction(async (client) => {
        const { petId, quantity } = await run(client, 'unorder', [account, id]);
        if (petId !== null) await run(client, 'give', [account, petId, quantity]);
      }),
  };
}

/** @returns the operation and its id. */
function routeOf(method, url) {
  if (method === 'POST' && url === '/store/orders') return { operation: 'createOrder' };
  if (method === 'POST' && url === '/pets') return { operation: 'createPet' };
  if (method === 'PATCH' && url.startsWith('/pets/')) return { operation: 'updatePet', id: Number(url.slice('/pets/'.length)) };
  if (method === 'DELETE' && url.startsWith('/store/orders/'))
    return { operation: 'deleteOrder', id: Number(url.slice('/store/orders/'.length)) };
  return undefined;
}

export async function createServer() {
  const writes = openWrites(process.env.DATABASE_URL);

  async function answer(req, res, text) {
    const route = routeOf(req.method, req.url);
    if (route === undefined) return res.writeHead(404).end();
    try {
      const body = await writes[route.operation](req.headers['x-account'], route.id, text === '' ? undefined : JSON.parse(text));
      const json = body === undefined ? '' : JSON.stringify(body);
      res.writeHead(STATUS[route.operation], body && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(json) });
      res.end(json);
    } catch (error) {
      res.writeHead(500).end(String(error));
    }
  }

  return http.createServer((req, res) => {
    let text = '';
    req.setEncoding('utf8');
    req.on('data', (chunk) => (text += chunk));
    req.on('end', () => answer(req, res, text));
  });
}
