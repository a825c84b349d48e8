/** The module of a Nest application, without the syntax of decorators. */
import { Controller, Get, Module } from '@nestjs/common';

class HelloController {
  hello(): string {
    return 'hello';
  }
}
const { prototype } = HelloController;
Controller('hello')(HelloController);
Get()(prototype, 'hello', Object.getOwnPropertyDescriptor(prototype, 'hello') as PropertyDescriptor);

// eslint-disable-next-line @typescript-eslint/no-extraneous-class -- a module of Nest is a class
export class AppModule {}
Module({ controllers: [HelloController] })(AppModule);
