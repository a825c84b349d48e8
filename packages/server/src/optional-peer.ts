/** Loads the part of an entry that needs an optional peer. */

/** @throws Error that says what to install, if the package is not installed. */
export async function loadWithPeer<Module>(entry: string, name: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes(name)) throw cause;
    throw new Error(`${entry} needs the package ${name}, which is not installed: npm install ${name}`, { cause });
  }
}
