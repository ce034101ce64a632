import type { ReflectMessage } from '@bufbuild/protobuf/reflect';
import type { Outcome } from '../outcome.ts';
import type { Shape } from './shape.ts';
import type { Value } from './value.ts';

/** Output messages of the nodes that an expression reads, by id of the edge they come in on. */
export type Sources = ReadonlyMap<string, ReflectMessage>;

/**
 * One transform of SPEC.md. `prepare` looks at its arguments and at what will be piped in, once, when the expression is compiled.
 *
 * @example
 * // title | suffix("!")
 * suffix.prepare([text('!')], textShape, context) // -> a step that gives a text
 */
export interface Transform {
  /** As expressions spell it: `regex_replace`. */
  name: string;
  /**
   * A step, or the detail behind `transform TRANSFORM_<NAME> failed: `, in SPEC.md's words.
   *
   * @param input shape of the piped value; undefined where nothing is piped in.
   */
  prepare: (args: readonly Value[], input: Shape | undefined, context: TransformContext) => Outcome<Step>;
}

/** A transform with its arguments. */
export interface Step {
  /** What it gives. */
  shape: Shape;
  /** The new value, or the detail behind `transform TRANSFORM_<NAME> failed: `. */
  apply: (input: Value | undefined, sources: Sources) => Outcome<Value>;
}

/** What `cel` needs of the expression that it stands in. */
export interface TransformContext {
  /**
   * Compiles CEL over the sources of the expression.
   *
   * @param input shape of the piped value, which is `value`.
   * @param field path of a source field that is `value` instead.
   */
  cel: (expression: string, input: Shape | undefined, field: string | undefined) => Outcome<Step>;
}
