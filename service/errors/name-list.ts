/** Returns names for an error text, at most ten of them: `a, b and 3 more`. */
export function nameList(names: readonly string[]): string {
  const shown = names.slice(0, 10).join(', ');
  return names.length > 10 ? `${shown} and ${names.length - 10} more` : shown;
}
