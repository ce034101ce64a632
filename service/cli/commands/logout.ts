import { Command } from 'commander';
import { readCredentials, removeCredentials } from '../credentials.ts';
import { note, type Terminal } from '../output.ts';

/** `svc logout`: removes the key of `svc login`. Only the operator can revoke it. */
export function logoutCommand(terminal: Terminal): Command {
  return new Command('logout').action(async () => {
    const login = stored(terminal);
    const file = await removeCredentials(terminal.env);
    if (file === undefined) {
      note(terminal, 'there is no login to remove');
      return;
    }
    note(terminal, `removed ${file}`);
    if (login) {
      note(
        terminal,
        `the key stays valid until the operator of ${login.url} runs svc key revoke ${login.key_id}`,
      );
    }
  });
}

/** A damaged file is removed too. */
function stored({ env }: Terminal): ReturnType<typeof readCredentials> {
  try {
    return readCredentials(env);
  } catch {
    return undefined;
  }
}
