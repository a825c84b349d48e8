import express from 'express4';
import { createRequestHandler } from '@specwright/server';
import { options } from './api.ts';

export const app = express();
app.disable('x-powered-by');
app.use('/v1', createRequestHandler(options));
app.get('/hello', (_request, response) => void response.send('hello'));
