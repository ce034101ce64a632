export const isRoot = process.getuid?.() === 0;

/** Returns a command that runs as a user without privileges, because file modes do not restrict root. */
export function unprivileged(...command: string[]): [string, ...string[]] {
  const [program = '', ...args] = command;
  return isRoot
    ? ['setpriv', '--reuid=nobody', '--regid=nogroup', '--clear-groups', ...command]
    : [program, ...args];
}
