/** multer in Express: files are written to temporary files, as its documentation has it, and removed. */
import { rm } from 'node:fs';
import { createServer as create, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import express from 'express';
import multer from 'multer';

export function createServer(): Server {
  const app = express();
  const upload = multer({ dest: tmpdir() });
  app.post('/spooled', upload.single('file'), (request, response, next) => {
    rm(request.file?.path ?? '', (error) => (error === null ? response.end() : next(error)));
  });
  return create(app);
}
