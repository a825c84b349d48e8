/** TypeScript with the API that 7 does not have. 23 MB, of which 7 MB are used: a project may have another version. */
export { default } from 'typescript';
