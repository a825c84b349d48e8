/** The variables of the environment that name the database. */
import { integer } from '@specwright/server';
import { z } from 'zod';

const databaseUrl = z.string().refine((text) => {
  try {
    return ['postgres:', 'postgresql:'].includes(new URL(text).protocol);
  } catch {
    return false;
  }
}, 'must be a URL such as postgres://user:password@localhost:5432/name');

export const DATABASE_VARIABLES = {
  /** Without it, an embedded PostgreSQL is started. */
  DATABASE_URL: databaseUrl.optional(),
  /** The most connections of the pool. */
  DATABASE_POOL: integer(1, 1000).default(10),
  /** What is kept between starts: the embedded database, and what the service keeps. */
  DATA_DIR: z.string().min(1).default('.data'),
};
