import { dynType, isSameType, mapParameters, parametersOf } from './static-type.ts';
import type { StaticType } from './static-type.ts';

type Variable = Extract<StaticType, { kind: 'variable' }>;

/**
 * Checks type assignability and infers type variables, with the algorithm of cel-go's checker. A unifier serves one check and keeps the
 * bindings of its variables.
 */
export interface Unifier {
  fresh(): StaticType;
  /** Reports whether one type is assignable to the other. Binds variables only on success. */
  assignable(a: StaticType, b: StaticType): boolean;
  /** Like `assignable`, pairwise. Bindings of one pair apply to the next, and are kept only if every pair is assignable. */
  allAssignable(a: readonly StaticType[], b: readonly StaticType[]): boolean;
  /** Returns the common type of the elements of a literal: the more general of the two, or `dyn`. */
  join(before: StaticType | undefined, next: StaticType): StaticType;
  /** Substitutes bound variables. `free` decides what happens to unbound ones. */
  resolve(type: StaticType, free?: 'keep' | 'dyn'): StaticType;
}

/** Creates a unifier without bindings. The type variables of one unifier have no meaning in another. */
export function createUnifier(): Unifier {
  let bindings = new Map<number, StaticType>();
  let variables = 0;

  function attempt(work: () => boolean): boolean {
    const before = new Map(bindings);
    if (work()) return true;
    bindings = before;
    return false;
  }

  function fits(a: StaticType, b: StaticType): boolean {
    if (b.kind === 'variable') {
      const known = bindings.get(b.id);
      if (binds(b, a)) return true;
      if (known !== undefined) return false;
    }
    if (a.kind === 'variable') return binds(a, b);
    if (isAnything(a) || isAnything(b)) return true;
    if (a.kind === 'null') return isNullable(b);
    if (b.kind === 'null') return isNullable(a);
    if (a.kind === 'wrapper' || b.kind === 'wrapper') return fits(unwrapped(a), unwrapped(b));
    if (a.kind !== b.kind) return false;
    if (a.kind === 'type') return true;
    if (a.kind === 'message') return isSameType(a, b);
    return allFit(parametersOf(a), parametersOf(b));
  }

  function allFit(a: readonly StaticType[], b: readonly StaticType[]): boolean {
    return a.length === b.length && a.every((type, index) => fits(type, b[index] ?? dynType));
  }

  /** Binds the variable to `type`, or to the more general of `type` and its current binding. Reports whether that is possible. */
  function binds(variable: Variable, type: StaticType): boolean {
    if (type.kind === 'variable' && type.id === variable.id) return true;
    const known = bindings.get(variable.id);
    if (known === undefined) {
      if (mentions(type, variable)) return false;
      bindings.set(variable.id, type);
      return true;
    }
    if (isSameType(known, type)) return true;
    if (!attempt(() => fits(type, known))) return false;
    const wider = moreGeneral(type, known);
    if (!mentions(wider, variable)) bindings.set(variable.id, wider);
    return true;
  }

  function mentions(type: StaticType, variable: Variable): boolean {
    if (type.kind === 'variable') {
      if (type.id === variable.id) return true;
      const known = bindings.get(type.id);
      return known !== undefined && mentions(known, variable);
    }
    return parametersOf(type).some((parameter) => mentions(parameter, variable));
  }

  function resolve(type: StaticType, free: 'keep' | 'dyn' = 'keep'): StaticType {
    if (type.kind !== 'variable') return mapParameters(type, (parameter) => resolve(parameter, free));
    const known = bindings.get(type.id);
    if (known !== undefined) return resolve(known, free);
    return free === 'dyn' ? dynType : type;
  }

  return {
    fresh: () => ({ kind: 'variable', id: variables++ }),
    assignable: (a, b) => attempt(() => fits(a, b)),
    allAssignable: (a, b) => attempt(() => allFit(a, b)),
    join(before, next) {
      if (before === undefined) return next;
      return attempt(() => fits(before, next)) ? moreGeneral(before, next) : dynType;
    },
    resolve,
  };
}

function moreGeneral(a: StaticType, b: StaticType): StaticType {
  return isAsGeneral(a, b) ? a : b;
}

/** Reports whether `a` is at least as general as `b`. */
function isAsGeneral(a: StaticType, b: StaticType): boolean {
  if (a.kind === 'dyn' || a.kind === 'variable') return true;
  if (b.kind === 'dyn' || b.kind === 'variable') return false;
  if (a.kind === 'type' && b.kind === 'type') return true;
  if (a.kind !== b.kind || (a.kind !== 'list' && a.kind !== 'map')) {
    return isSameType(unwrapped(a), unwrapped(b));
  }
  const others = parametersOf(b);
  return parametersOf(a).every((parameter, index) => isAsGeneral(parameter, others[index] ?? dynType));
}

/** Reports whether the type is known only at runtime. */
function isAnything({ kind }: StaticType): boolean {
  return kind === 'any' || kind === 'dyn';
}

function unwrapped(type: StaticType): StaticType {
  return type.kind === 'wrapper' ? type.of : type;
}

function isNullable({ kind }: StaticType): boolean {
  return (
    kind === 'any' ||
    kind === 'duration' ||
    kind === 'message' ||
    kind === 'null' ||
    kind === 'timestamp' ||
    kind === 'wrapper'
  );
}
