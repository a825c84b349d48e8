/** What the column of a property is called. */

/** `categoryId` -> `category_id` */
export const columnName = (property: string): string =>
  property
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();
