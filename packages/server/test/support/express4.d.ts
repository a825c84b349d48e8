/** Express 4, under another name than Express 5: its types are alike where tests use them. */
declare module 'express4' {
  export { default } from 'express';
}
