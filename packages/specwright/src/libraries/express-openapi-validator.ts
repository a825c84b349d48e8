/** The second judge of requests in tests. 50 packages with another version of Express and Ajv. */
export { middleware } from 'express-openapi-validator';
