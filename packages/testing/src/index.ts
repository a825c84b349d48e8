/** The public API of `@specwright/testing`. */
export {};
