/** A contract without sequences: no response has items. */

export const readItems: (response: Response, kind: string) => unknown = ({ body }) => body;
