import { shorten } from '../../errors/shorten.ts';

const maxNameLength = 128;
const maxQuotedLength = 64;

/** Reports why a text is not a valid name of a message or field. Returns undefined for a valid name. */
export function nameProblem(name: string): string | undefined {
  if (name.length > maxNameLength) return `is longer than ${maxNameLength} characters`;
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    return 'must begin with a letter or "_" and contain only letters, digits and "_"';
  }
  // The JSON name of a name with only underscores would be empty.
  return /[A-Za-z0-9]/.test(name) ? undefined : 'must contain a letter or digit';
}

/** The ProtoJSON name of a field, by the rule of the proto compiler: `unitPrice` for `unit_price`. */
export function jsonNameOf(name: string): string {
  return name.replace(/_+([^_]?)/g, (_, next: string) => next.toUpperCase());
}

/** Quotes a name for error texts, on one short line. */
export function quoteName(name: string): string {
  // A name may contain an unpaired surrogate even if it was not truncated.
  return JSON.stringify(shorten(name, maxQuotedLength).toWellFormed());
}
