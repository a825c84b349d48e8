/** A contract without forms: no body is one. */

export const writeForm: (body: object, fields?: unknown) => string = String;
