import { invalidMember } from '../errors/client-errors.ts';

/** A letter, then letters, digits and single separators, in any script. */
const form = /^\p{L}\p{M}*(?:[ ._-]?[\p{L}\p{N}]\p{M}*)*$/u;

/**
 * Returns the alias of a new member: as given, or the name of its node or flow. That name is used unchanged, because SDKs derive
 * an identifier from any text.
 *
 * @throws ApiError 400 if the given alias has another form
 */
export function memberAlias(given: string | undefined, byDefault: string): string {
  const alias = given?.trim() ?? '';
  if (alias === '') return byDefault;
  if (form.test(alias)) return alias;
  throw invalidMember(
    `alias ${JSON.stringify(alias)} is not allowed: use letters and digits, beginning with a letter, with single spaces, "_", "-" or "." between them`,
  );
}

/**
 * Returns a function that finds the aliases that differ from a given one only in separators or case. SDKs have to number such
 * names.
 */
export function similarAliases(aliases: readonly string[]): (alias: string) => string[] {
  const groups = Map.groupBy(aliases, plainOf);
  return (alias) => (groups.get(plainOf(alias)) ?? []).filter((other) => other !== alias);
}

function plainOf(alias: string): string {
  return alias.replaceAll(/[\s._-]+/g, '').toLowerCase();
}
