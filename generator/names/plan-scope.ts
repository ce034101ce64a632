/** A symbol that needs a name in a scope. */
export interface SymbolRequest {
  /** Unique in its scope, and the same in every version: an alias, a full type name. */
  id: string;
  /** The name it should have, already cased: a valid identifier. */
  intended: string;
  /** Names to try, in this order, if the intended one belongs to another symbol or to the language. Rarely called. */
  alternatives?: () => readonly string[];
  /** Client version in which the symbol first appeared, 1 when absent (`generator/changes/first-seen.ts`). */
  since?: number;
}

/** What the names of a scope must satisfy, and how names that do not are changed. */
export interface ScopeRules {
  /** Names that symbols must not have: keywords, imports, inherited members. Compared case-sensitively. */
  reserved: ReadonlySet<string>;
  /** Whether names that differ only in case collide: files, packages, and classes that become files. */
  caseInsensitive?: boolean;
  /** Names derived from a name, which must be free as well: `ResultBuilder` of `Result`. */
  derived?: (name: string) => readonly string[];
  /** Earlier names by id: they are kept, and take precedence over all others. */
  kept?: ReadonlyMap<string, string>;
  /** Replaces a reserved name; by default adds a trailing underscore. */
  escape?: (name: string) => string;
  /** Separates a name that ends in a digit from its number; by default adds a trailing underscore. */
  beforeNumber?: (name: string) => string;
  /** Whether a name that ends in an underscore loses it before it is numbered: `String_` and `String2`. */
  numbersWithoutUnderscore?: boolean;
}

/**
 * Assigns each symbol of a scope its final name. Names are unique, not reserved, and independent of the order of the requests.
 *
 * Kept names come first, then the symbols of one client version after the other, so that a new sibling never renames an old
 * symbol. Within a version, symbols get their intended names while these are free, in the order of ids. The others try their
 * alternatives, and are otherwise numbered from 2: `find`, `find2`, and `word2_2` after a digit.
 *
 * @throws Error if two requests have the same id.
 *
 * @example
 * planScope([{ id: 'a_b', intended: 'aB' }, { id: 'a-b', intended: 'aB' }, { id: 'for', intended: 'for' }],
 *   { reserved: new Set(['for']) }); // a-b -> aB, a_b -> aB2, for -> for_
 */
export function planScope(symbols: readonly SymbolRequest[], rules: ScopeRules): ReadonlyMap<string, string> {
  const ordered = [...symbols].sort(byAgeAndId);
  const claims = new Claims(rules);
  const names = new Map<string, string>();
  for (const { id } of ordered) {
    const kept = rules.kept?.get(id);
    if (kept !== undefined && claims.take(kept, { evenReserved: true })) names.set(id, kept);
  }
  for (const generation of Map.groupBy(ordered, sinceOf).values()) {
    for (const { id, intended } of generation) {
      if (!names.has(id) && claims.take(intended)) names.set(id, intended);
    }
    for (const symbol of generation) {
      if (!names.has(symbol.id)) names.set(symbol.id, nameLate(symbol, claims, rules));
    }
  }
  if (names.size !== symbols.length) throw new Error(`ids of a scope repeat: ${repeatedId(ordered)}`);
  return names;
}

function nameLate({ intended, alternatives }: SymbolRequest, claims: Claims, rules: ScopeRules): string {
  const { reserved, escape = (name) => `${name}_`, beforeNumber = (name) => `${name}_` } = rules;
  const base = reserved.has(intended) ? escape(intended) : intended;
  for (const name of [...(alternatives?.() ?? []), base]) if (claims.take(name)) return name;
  const stem = rules.numbersWithoutUnderscore ? base.replace(/(?<=\D)_$/, '') : base;
  return claims.takeNumbered(/\d$/.test(stem) ? beforeNumber(stem) : stem);
}

/** The taken names of a scope. */
class Claims {
  readonly #rules: ScopeRules;
  readonly #taken = new Set<string>();
  /** Last number tried by base, so that many equal names take linear time. */
  readonly #numbers = new Map<string, number>();

  constructor(rules: ScopeRules) {
    this.#rules = rules;
  }

  /** Takes a name and the names derived from it. Returns false and takes nothing if one of them is not free. */
  take(name: string, { evenReserved = false } = {}): boolean {
    const { reserved, derived } = this.#rules;
    const wanted = [name, ...(derived?.(name) ?? [])];
    const keys = wanted.map((each) => (this.#rules.caseInsensitive ? each.toLowerCase() : each));
    if (!evenReserved && wanted.some((each) => reserved.has(each))) return false;
    if (keys.some((key) => this.#taken.has(key))) return false;
    for (const key of keys) this.#taken.add(key);
    return true;
  }

  takeNumbered(base: string): string {
    for (let number = (this.#numbers.get(base) ?? 1) + 1; ; number += 1) {
      if (!this.take(`${base}${number}`)) continue;
      this.#numbers.set(base, number);
      return `${base}${number}`;
    }
  }
}

function sinceOf({ since = 1 }: SymbolRequest): number {
  return since;
}

function byAgeAndId(a: SymbolRequest, b: SymbolRequest): number {
  return sinceOf(a) - sinceOf(b) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

function repeatedId(ordered: readonly SymbolRequest[]): string {
  const seen = new Set<string>();
  return ordered.find(({ id }) => seen.size === seen.add(id).size)?.id ?? '';
}
