/** The public API of `@specwright/cli`. */
export {};
