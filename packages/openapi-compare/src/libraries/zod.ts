/** Zod, which reads the configuration of a project. 9 MB, most of it sources, types and older versions. */
export { z } from 'zod';
