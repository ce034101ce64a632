/** Returns a TOML string; JSON's escapes are among TOML's. */
export function tomlString(text: string): string {
  return JSON.stringify(text);
}
