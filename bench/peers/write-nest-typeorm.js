/** NestJS and TypeORM, as people write them; decorators are called as TypeScript calls them. */
import 'reflect-metadata';
import { Body, Controller, Delete, Headers, HttpCode, Module, Param, Patch, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import pg from 'pg';
import { DataSource, EntitySchema } from 'typeorm';

pg.types.setTypeParser(pg.types.builtins.INT8, Number);

const id = { type: 'bigint', primary: true, generated: true };
const Pet = new EntitySchema({
  name: 'Pet',
  tableName: 'pets',
  columns: {
    id,
    accountId: { name: 'account_id', type: 'bigint', primary: true },
    categoryId: { name: 'category_id', type: 'bigint' },
    name: { type: 'text' },
    status: { type: 'text' },
    quantity: { type: 'bigint', default: 0 },
    version: { type: 'integer', version: true },
  },
});
const Order = new EntitySchema({
  name: 'Order',
  tableName: 'orders',
  columns: {
    id,
    accountId: { name: 'account_id', type: 'bigint', primary: true },
    petId: { name: 'pet_id', type: 'bigint', nullable: true },
    quantity: { type: 'integer', nullable: true },
    complete: { type: 'boolean', default: false },
  },
});

class StoreController {
  constructor(dataSource) {
    this.dataSource = dataSource;
  }

  createOrder(account, { petId, quantity = 1 }) {
    return this.dataSource.transaction(async (manager) => {
      const { affected } = await manager
        .createQueryBuilder()
        .update(Pet)
        .set({ quantity: () => 'quantity - :taken', version: () => 'version + 1' })
        .where('account_id = :account AND id = :petId AND quantity >= :taken', { account, petId, taken: quantity })
        .execute();
      if (affected === 0) throw new Error('out of stock');
      const order = { accountId: Number(account), petId, quantity };
      await manager.insert(Order, order);
      return order;
    });
  }

  async createPet(account, { categoryId, name, status }) {
    const pet = { accountId: Number(account), categoryId, name, status };
    await this.dataSource.getRepository(Pet).insert(pet);
    return pet;
  }

  async updatePet(account, petId, { name }) {
    const pets = this.dataSource.getRepository(Pet);
    await pets.update({ accountId: Number(account), id: Number(petId) }, { name });
    return pets.findOneBy({ accountId: Number(account), id: Number(petId) });
  }

  deleteOrder(account, orderId) {
    return this.dataSource.transaction(async (manager) => {
      const key = { accountId: Number(account), id: Number(orderId), complete: false };
      const order = await manager.findOneByOrFail(Order, key);
      const { affected } = await manager.delete(Order, key);
      if (affected === 1) await manager.increment(Pet, { accountId: key.accountId, id: order.petId }, 'quantity', order.quantity);
    });
  }
}

function decorate(method, route, status, ...parameters) {
  const descriptor = Object.getOwnPropertyDescriptor(StoreController.prototype, method);
  route(StoreController.prototype, method, descriptor);
  HttpCode(status)(StoreController.prototype, method, descriptor);
  parameters.forEach((parameter, index) => parameter(StoreController.prototype, method, index));
}
Controller()(StoreController);
decorate('createOrder', Post('store/orders'), 201, Headers('x-account'), Body());
decorate('createPet', Post('pets'), 201, Headers('x-account'), Body());
decorate('updatePet', Patch('pets/:petId'), 200, Headers('x-account'), Param('petId'), Body());
decorate('deleteOrder', Delete('store/orders/:orderId'), 204, Headers('x-account'), Param('orderId'));
Reflect.defineMetadata('design:paramtypes', [DataSource], StoreController);

export async function createServer() {
  const dataSource = new DataSource({
    type: 'postgres',
    url: process.env.DATABASE_URL,
    entities: [Pet, Order],
    extra: { max: 10 },
    parseInt8: true,
  });
  await dataSource.initialize();
  class AppModule {}
  Module({ controllers: [StoreController], providers: [{ provide: DataSource, useValue: dataSource }] })(AppModule);
  const app = await NestFactory.create(AppModule, { logger: false });
  await app.init();
  return app.getHttpServer();
}
