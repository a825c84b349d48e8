/** The same operations as plain handlers and as Express ones, and the contract of all of them. */
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NextFunction, Request, Response } from 'express';
import { AppError, type UnvalidatedResponse } from '@specwright/server';
import { express } from '@specwright/server/express';

type Reply = (status: number, payload?: Partial<UnvalidatedResponse>) => UnvalidatedResponse;
type Plain = (input: { body: unknown; query: { limit: number } }, reply: Reply) => unknown;
type InExpress = (req: Request, res: Response, next: NextFunction) => unknown;

/** The types of contracts are for `test/types`: here handlers may send what they should not. */
export const untyped = express as unknown as (handler: InExpress) => unknown;

const folder = mkdtempSync(join(tmpdir(), 'express-handler-'));
const file = join(folder, 'note.txt');
const empty = join(folder, 'empty.txt');
export const removeFiles = () => rmSync(folder, { recursive: true });
writeFileSync(file, 'a note, größer als ASCII');
writeFileSync(empty, '');

export interface HandlerStyles {
  readonly plain: Plain;
  readonly express: InExpress;
  readonly status: number;
  /** What the body has to hold. */
  readonly says?: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
}

export const pet = { id: 1, name: 'Rex' };
const petWith = (headers: UnvalidatedResponse['headers']) => ({ headers, body: pet });
const bytes = Buffer.of(0, 255, 10);

export const HANDLER_STYLES: Record<string, HandlerStyles> = {
  'a 200 with JSON': { plain: (_, reply) => reply(200, { body: pet }), express: (_, res) => res.json(pet), status: 200, says: 'Rex' },
  'a 200 with JSON, by send': { plain: (_, reply) => reply(200, { body: pet }), express: (_, res) => res.send(pet), status: 200 },
  'a 200 with JSON, as text': {
    plain: (_, reply) => reply(200, { body: pet }),
    express: (_, res) => res.type('json').end(JSON.stringify(pet)),
    status: 200,
    says: 'Rex',
  },
  'a bigint': {
    plain: (_, reply) => reply(200, { body: { ...pet, big: 9007199254740993n } }),
    express: (_, res) => res.json({ ...pet, big: 9007199254740993n }),
    status: 200,
    says: '9007199254740993',
  },
  'a 201 with headers': {
    plain: (_, reply) => reply(201, petWith({ Location: '/pets/1', ETag: '"1"' })),
    express: (_, res) => res.status(201).location('/pets/1').set('etag', '"1"').json(pet),
    status: 201,
  },
  'a header of the pipeline that the handler replaces': {
    plain: (_, reply) => reply(200, petWith({ 'Cache-Control': 'max-age=5' })),
    express: (_, res) => res.set({ 'cache-control': 'max-age=5' }).json(pet),
    status: 200,
    method: 'POST',
  },
  'a header that is appended to': {
    plain: (_, reply) => reply(200, petWith({ Link: '</a>; rel="a", </b>; rel="b"' })),
    express: (_, res) => res.append('Link', '</a>; rel="a"').append('Link', '</b>; rel="b"').json(pet),
    status: 200,
  },
  'two cookies': {
    plain: (_, reply) => reply(200, petWith({ 'Set-Cookie': ['a=1; Path=/', 'b=2; Path=/; HttpOnly'] })),
    express: (_, res) => res.cookie('a', '1').cookie('b', '2', { httpOnly: true }).json(pet),
    status: 200,
  },
  'headers of writeHead': {
    plain: (_, reply) => reply(201, petWith({ Location: '/pets/1' })),
    express: (_, res) =>
      res.writeHead(201, { 'Content-Type': 'application/json', 'Content-Length': 21, Location: '/pets/1' }).end(JSON.stringify(pet)),
    status: 201,
  },
  'a 204': { plain: (_, reply) => reply(204), express: (_, res) => res.status(204).end(), status: 204 },
  'a 204 by sendStatus': { plain: (_, reply) => reply(204), express: (_, res) => res.sendStatus(204), status: 204 },
  'a declared error': {
    plain: (_, reply) => reply(404, { body: { message: 'gone' } }),
    express: (_, res) => res.status(404).json({ message: 'gone' }),
    status: 404,
    says: 'gone',
  },
  'an undeclared status': {
    plain: (_, reply) => reply(202, { body: pet }),
    express: (_, res) => res.status(202).json(pet),
    status: 500,
    says: 'internal',
  },
  'an undeclared header': {
    plain: (_, reply) => reply(200, petWith({ 'X-Debug': 'yes' })),
    express: (_, res) => res.set('X-Debug', 'yes').json(pet),
    status: 500,
  },
  'a required header that is missing': {
    plain: (_, reply) => reply(201, { body: pet }),
    express: (_, res) => res.status(201).json(pet),
    status: 500,
  },
  'a property that the schema refuses': {
    plain: (_, reply) => reply(200, { body: { ...pet, owner: 'Ann' } }),
    express: (_, res) => res.json({ ...pet, owner: 'Ann' }),
    status: 500,
  },
  'a property that the schema does not declare': {
    plain: (_, reply) => reply(404, { body: { message: 'gone', secret: 'x' } }),
    express: (_, res) => res.status(404).json({ message: 'gone', secret: 'x' }),
    status: 404,
  },
  'a body that is missing': { plain: (_, reply) => reply(200), express: (_, res) => res.end(), status: 500 },
  'a body on a 204': { plain: (_, reply) => reply(204, { body: pet }), express: (_, res) => res.status(204).json(pet), status: 500 },
  'an undeclared media type': {
    plain: (_, reply) => reply(200, { body: 'a,b', type: 'text/csv' }),
    express: (_, res) => res.type('text/csv').send('a,b'),
    status: 500,
  },
  'next(error) with an error of the contract': {
    plain: () => {
      throw new AppError('not_found', 'no such pet');
    },
    express: (_req, _res, next) => next(new AppError('not_found', 'no such pet')),
    status: 404,
    says: 'no such pet',
  },
  'next(error) with any other error': {
    plain: () => Promise.reject(new Error('secret')),
    express: (_req, _res, next) => void setImmediate(() => next(new Error('secret'))),
    status: 500,
  },
  "an error of Express's own middleware": {
    plain: () => {
      throw new AppError('not_found', 'no such file');
    },
    express: (_req, _res, next) => next(Object.assign(new Error('no such file'), { status: 404, expose: true })),
    status: 404,
    says: 'no such file',
  },
  'a throw': {
    plain: () => {
      throw new Error('secret');
    },
    express: () => {
      throw new Error('secret');
    },
    status: 500,
  },
  'a rejected promise': {
    plain: async () => Promise.reject(new AppError('not_found', 'no such pet')),
    express: async () => Promise.reject(new AppError('not_found', 'no such pet')),
    status: 404,
  },
  'an answer after a wait': {
    plain: async (_, reply) => reply(200, { body: pet }),
    express: async (_, res) => {
      await new Promise(setImmediate);
      res.json(pet);
    },
    status: 200,
  },
  'an answer in a callback': {
    plain: async (_, reply) => reply(200, { body: pet }),
    express: (_, res) => void setImmediate(() => res.json(pet)),
    status: 200,
  },
  'a default of the query': {
    plain: ({ query: { limit } }, reply) => reply(200, { body: { id: limit, name: typeof limit } }),
    express: (req, res) => res.json({ id: req.query['limit'], name: typeof req.query['limit'] }),
    status: 200,
    says: '"number"',
  },
  'a text': {
    plain: (_, reply) => reply(210, { body: 'größer' }),
    express: (_, res) => res.status(210).send('größer'),
    status: 210,
    says: 'größer',
  },
  'a text in parts': {
    plain: (_, reply) => reply(210, { body: Buffer.from('größer') }),
    express: (_, res) => {
      res.status(210).write('grö');
      res.write(Buffer.from('ß'));
      res.end('er');
    },
    status: 210,
    says: 'größer',
  },
  'an empty text': { plain: (_, reply) => reply(210, { body: '' }), express: (_, res) => res.status(210).send(''), status: 210 },
  bytes: { plain: (_, reply) => reply(211, { body: bytes }), express: (_, res) => res.status(211).send(bytes), status: 211 },
  'bytes of one of two types': {
    plain: (_, reply) => reply(212, { type: 'image/png', body: bytes }),
    express: (_, res) => res.status(212).type('png').send(bytes),
    status: 212,
  },
  'a file': {
    plain: (_, reply) => reply(210, { body: Buffer.from('a note, größer als ASCII') }),
    express: (_, res) => res.status(210).sendFile(file),
    status: 210,
    says: 'a note',
  },
  'a download': {
    plain: (_, reply) =>
      reply(210, { headers: { 'Content-Disposition': 'attachment; filename=n.txt' }, body: Buffer.from('a note, größer als ASCII') }),
    express: (_, res) => res.status(210).download(file, 'n.txt'),
    status: 210,
  },
  'an empty file': { plain: (_, reply) => reply(210, { body: '' }), express: (_, res) => res.status(210).sendFile(empty), status: 210 },
  'a stream': {
    plain: (_, reply) => reply(210, { body: Buffer.from('a note, größer als ASCII') }),
    express: (_, res) => createReadStream(file).pipe(res.status(210)),
    status: 210,
    says: 'a note',
  },
  'a redirect': {
    plain: (_, reply) => reply(302, { headers: { Location: '/pets?q=%C3%A4' } }),
    express: (_, res) => res.redirect('/pets?q=ä'),
    status: 302,
  },
  'a redirect with a status': {
    plain: (_, reply) => reply(303, { headers: { Location: '/pets' } }),
    express: (_, res) => res.redirect(303, '/pets'),
    status: 303,
  },
  'HEAD of JSON': { plain: (_, reply) => reply(200, { body: pet }), express: (_, res) => res.json(pet), status: 200, method: 'HEAD' },
  'HEAD of a text': {
    plain: (_, reply) => reply(210, { body: 'größer' }),
    express: (_, res) => res.status(210).send('größer'),
    status: 210,
    method: 'HEAD',
  },
  'HEAD of a file': {
    plain: (_, reply) => reply(210, { body: Buffer.from('a note, größer als ASCII') }),
    express: (_, res) => res.status(210).sendFile(file),
    status: 210,
    method: 'HEAD',
  },
  'a 304 of the handler': {
    plain: (_, reply) => reply(304, { headers: { ETag: '"1"' } }),
    express: (_, res) => res.status(304).set('ETag', '"1"').end(),
    status: 304,
  },
  'a 304 that Express makes of a 200': {
    plain: (_, reply) => reply(304, { headers: { ETag: '"1"' } }),
    express: (_, res) => res.set({ ETag: '"1"', Link: '</b>; rel="b"' }).json(pet),
    status: 304,
    headers: { 'If-None-Match': '"1"' },
  },
  'no 304 for another ETag': {
    plain: (_, reply) => reply(200, petWith({ ETag: '"2"' })),
    express: (_, res) => res.set('ETag', '"2"').send(pet),
    status: 200,
    headers: { 'If-None-Match': '"1"' },
  },
  'no range of a file whose contract has no 206': {
    plain: (_, reply) => reply(210, { body: Buffer.from('a note, größer als ASCII') }),
    express: (_, res) => res.status(210).sendFile(file),
    status: 210,
    headers: { Range: 'bytes=0-1', 'If-Match': '"1"' },
  },
};

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const text = (...types: string[]) => ({ content: Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }])) });
const field = { schema: { type: 'string' } };
const PET = {
  type: 'object',
  required: ['id', 'name'],
  additionalProperties: false,
  properties: { id: { type: 'integer' }, name: { type: 'string' }, big: { type: 'integer', format: 'int64', 'x-int64': 'bigint' } },
};
const ERROR = json({ type: 'object', required: ['message'], properties: { message: { type: 'string' } } });
export const RESPONSES = {
  200: { description: 'a pet', headers: { Link: field, ETag: field, 'Set-Cookie': field }, ...json(PET) },
  201: { description: 'made', headers: { Location: { required: true, ...field }, ETag: field }, ...json(PET) },
  204: { description: 'nothing' },
  210: { description: 'a text', headers: { 'Content-Disposition': field }, ...text('text/plain') },
  211: { description: 'bytes', ...text('application/octet-stream') },
  212: { description: 'a picture', ...text('text/plain', 'image/png') },
  302: { description: 'elsewhere', headers: { Location: { required: true, ...field } } },
  303: { description: 'elsewhere', headers: { Location: { required: true, ...field } } },
  304: { description: 'not modified', headers: { ETag: field } },
  404: { description: 'no such pet', ...ERROR },
  500: { description: 'an error', ...ERROR },
  503: { description: 'not now', ...ERROR },
};
