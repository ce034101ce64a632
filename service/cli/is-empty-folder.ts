import { readdir } from 'node:fs/promises';
import { CliError } from './output.ts';

/**
 * Reports whether a folder that a command is to write is empty, or does not exist yet.
 *
 * @throws CliError if it is not a folder
 */
export async function isEmptyFolder(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length === 0;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return true;
    if (code === 'ENOTDIR') throw new CliError(`${folder} is not a folder: choose another path`);
    throw error;
  }
}
