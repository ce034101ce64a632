/** Returns the reason why a file that the user named could not be read. */
export function whyUnreadable(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'no such file';
  return code === 'EISDIR' ? 'it is a folder' : message;
}
