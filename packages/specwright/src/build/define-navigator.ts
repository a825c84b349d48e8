/**
 * Runs before a built program: defines what Node has from version 21 on. Without it `pg` finds out whether it runs in a Cloudflare
 * Worker by making a `Response`, for which Node 20 loads its HTTP client: 15 ms and 2 MB at each start.
 */
const scope = globalThis as { navigator?: { readonly userAgent: string } };
scope.navigator ??= { userAgent: `Node.js/${process.versions.node.split('.')[0]}` };
