const maxNameLength = 128;
const shownCharacters = 64;

/** Why a text cannot be the name of a message or field in a proto source; `undefined`: it can. */
export function nameProblem(name: string): string | undefined {
  if (name.length > maxNameLength) return `is longer than ${maxNameLength} characters`;
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    return 'must begin with a letter or "_" and hold letters, digits and "_" only';
  }
  // Underscores alone leave nothing for the name in JSON.
  return /[A-Za-z0-9]/.test(name) ? undefined : 'must hold a letter or digit';
}

/** The name of a field in ProtoJSON, by the rule of the proto compiler: `unit_price` is `unitPrice`. */
export function jsonNameOf(name: string): string {
  return name.replace(/_+([^_]?)/g, (_, next: string) => next.toUpperCase());
}

/** A name in quotes, for error texts: whatever came, it stays one short line. */
export function quoteName(name: string): string {
  const shown = name.length > shownCharacters ? `${name.slice(0, shownCharacters)}...` : name;
  return JSON.stringify(shown.toWellFormed());
}
