import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { writeDurably } from '../objects/write-durably.ts';
import { CliError, type Terminal } from './output.ts';

type Env = Terminal['env'];

/** The login that `svc login` stores for later commands. */
interface Credentials {
  /** Base URL of the service that the key is for, without a trailing slash. */
  url: string;
  key: string;
  /** Handle of the tenant, and id of the key, for the user. */
  tenant: string;
  key_id: string;
}

/** Returns the path of the file in the user's configuration folder. */
export function credentialsFile(env: Env): string {
  const { XDG_CONFIG_HOME: config, HOME: home } = env;
  if (config && path.isAbsolute(config)) return path.join(config, 'svc', 'credentials.json');
  if (home) return path.join(home, '.config', 'svc', 'credentials.json');
  throw new CliError('there is no folder for the key of a login: set HOME or XDG_CONFIG_HOME');
}

/**
 * Returns the stored login, if there is one.
 *
 * @throws CliError if `svc login` did not write the file
 */
export function readCredentials(env: Env): Credentials | undefined {
  if (!env.HOME && !env.XDG_CONFIG_HOME) return undefined;
  const file = credentialsFile(env);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new CliError(
      `the login in ${file} cannot be read (${(error as Error).message}): mend it, or set SVC_API_KEY`,
    );
  }
  const read = parsed(text);
  if (typeof read?.url === 'string' && typeof read.key === 'string') return read as Credentials;
  throw new CliError(`${file} is damaged: run svc login again, or svc logout to remove it`);
}

function parsed(text: string): Partial<Credentials> | null {
  try {
    return JSON.parse(text) as Partial<Credentials> | null;
  } catch {
    return null;
  }
}

/** Stores the login, readable by the user only. It replaces an earlier one. */
export async function writeCredentials(env: Env, credentials: Credentials): Promise<string> {
  const file = credentialsFile(env);
  await writeDurably(file, `${JSON.stringify(credentials, null, 2)}\n`);
  return file;
}

/** Removes the stored login, damaged or not. Returns the removed file, or undefined if there was none. */
export async function removeCredentials(env: Env): Promise<string | undefined> {
  const file = credentialsFile(env);
  try {
    await rm(file);
    return file;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
