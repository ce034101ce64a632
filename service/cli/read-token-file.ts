import { readFile } from 'node:fs/promises';
import { CliError } from './output.ts';
import { whyUnreadable } from './why-unreadable.ts';

/**
 * Reads the token of a deployment from a file, without one trailing newline.
 *
 * @throws CliError that does not contain the token
 */
export async function readTokenFile(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new CliError(
      `the token file ${file} cannot be read (${whyUnreadable(error)}): give a file that has the token alone`,
    );
  });
  return checkToken(text.replace(/\r?\n$/, ''), `the token in ${file}`);
}

/** @param what names the token in the error, which does not contain it */
export async function checkToken(token: string, what: string): Promise<string> {
  const { deploymentToken } = await import('../../specs/operations/package-shapes.ts');
  const { success, error } = deploymentToken.safeParse(token);
  if (success) return token;
  throw new CliError(
    `${what} is invalid (${error.issues[0]?.message}): make one, for example with openssl rand -hex 32`,
  );
}
