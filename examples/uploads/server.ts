import { createReadStream, createWriteStream, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError, createLogger, createServer, listen, loadContract } from '@specwright/server';
import { contract as generated, type Handlers } from './generated/contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'photos-'));
const photos: { path: string; bytes: number }[] = [];

const handlers: Handlers = {
  addPhoto: async ({ body, files }, reply) => {
    // The contract requires exactly one file, which has been received and checked before this runs.
    const [photo] = files;
    const id = photos.length + 1;
    const path = join(folder, String(id));
    await pipeline(photo.stream, createWriteStream(path));
    photos.push({ path, bytes: photo.size });
    return reply(201, { body: { id, caption: body.caption, bytes: photo.size } });
  },
  getPhoto: ({ path: { photoId } }, reply) => {
    const photo = photos[photoId - 1];
    if (photo === undefined) throw new AppError('not_found', `there is no photo ${photoId}`);
    // A function is called with the range that the client asked for.
    return reply(200, { length: photo.bytes, stream: (range) => createReadStream(photo.path, range) });
  },
};

const contract = await loadContract(new URL('openapi.yaml', import.meta.url), generated);
export const server = createServer({ contract, handlers, security: {}, log: createLogger('info') });
export const port = await listen(server, Number(process.env['PORT'] ?? 3000), undefined);
