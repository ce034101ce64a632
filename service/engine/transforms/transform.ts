import type { ReflectMessage } from '@bufbuild/protobuf/reflect';
import type { Outcome } from '../outcome.ts';
import type { Shape } from './shape.ts';
import type { Value } from './value.ts';

/** Output messages of the nodes that an expression reads, by id of the edge they come in on. */
export type Sources = ReadonlyMap<string, ReflectMessage>;

/**
 * One transform of SPEC.md. `prepare` looks at the arguments, once, when the expression is compiled.
 *
 * @example
 * // title | suffix("!")
 * suffix.prepare([text('!')], context) // -> a step: string -> string
 */
export interface Transform {
  /** As expressions spell it: `regex_replace`. */
  name: string;
  /** A step, or what is wrong with the arguments in SPEC.md's words. */
  prepare: (args: readonly Value[], context: TransformContext) => Outcome<Step>;
}

/** A transform with its arguments. */
export interface Step {
  /** What it makes of a value of some shape, or why it cannot be given one; `undefined` where nothing is piped in. */
  shape: (input: Shape | undefined) => Outcome<Shape>;
  /** The new value, or the detail behind `transform TRANSFORM_<NAME> failed: `. */
  apply: (input: Value | undefined, sources: Sources) => Outcome<Value>;
}

/** What `cel` needs of the expression that it stands in. */
export interface TransformContext {
  /**
   * Compiles CEL over the sources of the expression.
   *
   * @param field path of a source field that is `value`, instead of what is piped in.
   */
  cel: (expression: string, field: string | undefined) => Outcome<Step>;
}
