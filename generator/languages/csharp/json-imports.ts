/** Returns the import of the JSON types that `code` names, if it names any. */
export function jsonImports(code: string): string[] {
  return /\bJson(Object|Array)\b/.test(code) ? ['System.Text.Json.Nodes'] : [];
}
