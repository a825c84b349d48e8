/** After all tests: ends and removes what global-setup started and made. */
import { removeSharedFolder } from './shared-folder.mjs';

export default async function teardown() {
  removeSharedFolder();
  await globalThis.testServer?.stop();
}
