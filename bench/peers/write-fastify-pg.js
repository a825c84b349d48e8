/** Fastify and `pg`, as people write them: a transaction by hand, statements without names. */
import Fastify from 'fastify';
import pg from 'pg';

pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export async function createServer() {
  const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
  const fastify = Fastify({ logger: false });
  fastify.decorateRequest('account', 0);
  fastify.addHook('onRequest', async (req) => {
    req.account = Number(req.headers['x-account']);
  });

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

  const orderBody = {
    type: 'object',
    required: ['petId'],
    properties: { petId: { type: 'integer' }, quantity: { type: 'integer', default: 1 } },
  };
  fastify.post('/store/orders', { schema: { body: orderBody } }, async (req, reply) => {
    const { petId, quantity } = req.body;
    const order = await transaction(async (client) => {
      const { rowCount } = await client.query(
        'UPDATE pets SET quantity = quantity - $3, version = version + 1 WHERE account_id = $1 AND id = $2 AND quantity >= $3',
        [req.account, petId, quantity],
      );
      if (rowCount === 0) throw new Error('out of stock');
      const { rows } = await client.query(
        'INSERT INTO orders (account_id, pet_id, quantity) VALUES ($1, $2, $3) RETURNING id, pet_id AS "petId", quantity, complete',
        [req.account, petId, quantity],
      );
      return rows[0];
    });
    reply.code(201);
    return order;
  });

  const petBody = {
    type: 'object',
    required: ['name', 'categoryId'],
    properties: { name: { type: 'string' }, categoryId: { type: 'integer' }, status: { type: 'string', default: 'available' } },
  };
  fastify.post('/pets', { schema: { body: petBody } }, async (req, reply) => {
    const { categoryId, name, status } = req.body;
    const { rows } = await pool.query(
      'INSERT INTO pets (account_id, category_id, name, status) VALUES ($1, $2, $3, $4) RETURNING id, name, category_id AS "categoryId", status',
      [req.account, categoryId, name, status],
    );
    reply.code(201);
    return rows[0];
  });

  fastify.patch('/pets/:petId', async (req) => {
    const { rows } = await pool.query(
      'UPDATE pets SET name = $3, version = version + 1 WHERE account_id = $1 AND id = $2 RETURNING id, name, category_id AS "categoryId", status',
      [req.account, req.params.petId, req.body.name],
    );
    return rows[0];
  });

  fastify.delete('/store/orders/:orderId', async (req, reply) => {
    await transaction(async (client) => {
      const { rows } = await client.query(
        'DELETE FROM orders WHERE account_id = $1 AND id = $2 AND NOT complete RETURNING pet_id AS "petId", quantity',
        [req.account, req.params.orderId],
      );
      await client.query('UPDATE pets SET quantity = quantity + $3, version = version + 1 WHERE account_id = $1 AND id = $2', [
        req.account,
        rows[0].petId,
        rows[0].quantity,
      ]);
    });
    reply.code(204).send();
    return reply;
  });

  await fastify.ready();
  return fastify.server;
}
