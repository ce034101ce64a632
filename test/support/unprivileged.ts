export const isRoot = process.getuid?.() === 0;

/** Returns the command of a user without privileges. Modes of files do not stop root. */
export function unprivileged(...command: string[]): [string, ...string[]] {
  const [program = '', ...args] = command;
  return isRoot
    ? ['setpriv', '--reuid=nobody', '--regid=nogroup', '--clear-groups', ...command]
    : [program, ...args];
}
