import { type FileHandle, open } from 'node:fs/promises';

/** Modes of files and folders with data of tenants: only the user of the service may read them. */
export const privateFileMode = 0o600;
export const privateFolderMode = 0o700;

/**
 * Opens a file to write, as `open` does, and creates it with mode 0600 regardless of the umask.
 *
 * @param flags `wx` for a new file, `a` for one that may exist
 */
export async function openPrivateFile(file: string, flags: 'wx' | 'a'): Promise<FileHandle> {
  const handle = await open(file, flags, privateFileMode);
  try {
    // A umask may have removed permissions of the owner.
    const { mode } = await handle.stat();
    if ((mode & 0o777) !== privateFileMode) await handle.chmod(privateFileMode);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}
