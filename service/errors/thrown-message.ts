/** Returns the message of an error, or the text of any other value that was thrown. */
export function thrownMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
