/** Prettier, which formats as the project does. 12 MB, half of it for browsers. */
export { format, resolveConfig } from 'prettier';
