import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { thrownMessage } from '../errors/thrown-message.ts';
import { CliError, type Terminal, UsageError } from './output.ts';
import { whyUnreadable } from './why-unreadable.ts';

/**
 * Reads the JSON of an option: text, `@<file>` for a file, or `-` for stdin. Returns it as written, so that numbers beyond 2^53 stay
 * exact.
 *
 * @param option names the option in errors
 */
export async function readJsonFlag(terminal: Terminal, option: string, given: string): Promise<string> {
  const text =
    given === '-'
      ? await readAll(terminal.stdin)
      : given.startsWith('@')
        ? await readFile(given.slice(1), 'utf8').catch((error: unknown) => {
            throw new CliError(`cannot read ${given.slice(1)}: ${whyUnreadable(error)}`);
          })
        : given;
  try {
    JSON.parse(text);
  } catch (error) {
    const reason = thrownMessage(error);
    const hint = existsSync(given) ? `; to read the file, write @${given}` : '';
    throw new UsageError(`${option} is not valid JSON: ${reason}${hint}`);
  }
  return text;
}
