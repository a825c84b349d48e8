/** The pages of the documentation: those of its shelves, not the projects in `docs/clients`. */
import { readdirSync } from 'node:fs';

/** Their files, such as `docs/how-to/uploads.md`. */
export const DOCUMENTATION_PAGES = readdirSync('docs', { recursive: true, encoding: 'utf8' }).flatMap((path) =>
  path.endsWith('.md') && !path.startsWith('clients/') ? [`docs/${path}`] : [],
);
