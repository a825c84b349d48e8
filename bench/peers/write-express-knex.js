/** Express and Knex, as people write them. */
import http from 'node:http';
import express from 'express';
import knex from 'knex';
import pg from 'pg';

pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export async function createServer() {
  const db = knex({ client: 'pg', connection: process.env.DATABASE_URL, pool: { min: 0, max: 10 } });
  const app = express();
  app.use(express.json());
  app.use((req, _res, next) => {
    req.account = Number(req.get('X-Account'));
    next();
  });

  app.post('/store/orders', async (req, res) => {
    const { petId, quantity = 1 } = req.body;
    const order = await db.transaction(async (trx) => {
      const taken = await trx('pets')
        .where({ account_id: req.account, id: petId })
        .where('quantity', '>=', quantity)
        .update({ quantity: trx.raw('quantity - ?', [quantity]), version: trx.raw('version + 1') });
      if (taken === 0) throw new Error('out of stock');
      const [created] = await trx('orders')
        .insert({ account_id: req.account, pet_id: petId, quantity })
        .returning(['id', 'pet_id as petId', 'quantity', 'complete']);
      return created;
    });
    res.status(201).json(order);
  });

  app.post('/pets', async (req, res) => {
    const { categoryId, name, status } = req.body;
    const [pet] = await db('pets')
      .insert({ account_id: req.account, category_id: categoryId, name, status })
      .returning(['id', 'name', 'category_id as categoryId', 'status']);
    res.status(201).json(pet);
  });

  app.patch('/pets/:petId', async (req, res) => {
    const [pet] = await db('pets')
      .where({ account_id: req.account, id: req.params.petId })
      .update({ name: req.body.name, version: db.raw('version + 1') })
      .returning(['id', 'name', 'category_id as categoryId', 'status']);
    res.json(pet);
  });

  app.delete('/store/orders/:orderId', async (req, res) => {
    await db.transaction(async (trx) => {
      const [order] = await trx('orders')
        .where({ account_id: req.account, id: req.params.orderId, complete: false })
        .delete(['pet_id', 'quantity']);
      await trx('pets')
        .where({ account_id: req.account, id: order.pet_id })
        .update({ quantity: trx.raw('quantity + ?', [order.quantity]), version: trx.raw('version + 1') });
    });
    res.status(204).end();
  });

  return http.createServer(app);
}
