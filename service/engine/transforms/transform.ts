import type { Registry } from '@bufbuild/protobuf';
import type { ReflectMessage } from '@bufbuild/protobuf/reflect';
import type { Outcome } from '../outcome.ts';
import type { WorkMeter } from '../work/work-meter.ts';
import type { Shape } from './shape.ts';
import type { Value } from './value.ts';

/** The messages that expressions read, by edge id. */
type Sources = ReadonlyMap<string, ReflectMessage>;

/** The sources that an evaluation reads, and the budget that it spends. */
export interface Work {
  sources: Sources;
  meter: WorkMeter;
  /** Resolves the content of an `Any`. */
  registry: Registry;
}

/**
 * A transform of adapter expressions. `prepare` checks the arguments and the shape of the piped value once, at compile time.
 *
 * @example
 * // title | suffix("!")
 * suffix.prepare([text('!')], textShape, context) // -> a step that returns a string
 */
export interface Transform {
  /** The name in expressions: `regex_replace`. */
  name: string;
  /**
   * Returns a step, or the detail after `transform TRANSFORM_<NAME> failed: `.
   *
   * @param input shape of the piped value, undefined without one
   */
  prepare: (args: readonly Value[], input: Shape | undefined, context: TransformContext) => Outcome<Step>;
}

/** A transform bound to its arguments. */
export interface Step {
  /** Shape of the result. */
  shape: Shape;
  /**
   * Returns the new value, or the detail after `transform TRANSFORM_<NAME> failed: `.
   *
   * @throws WorkExceeded if it costs more than the remaining budget
   */
  apply: (input: Value | undefined, work: Work) => Outcome<Value>;
}

/** The surrounding expression. */
interface TransformContext {
  /** Pays for compiling patterns. */
  meter: WorkMeter;
  /**
   * Compiles CEL over the sources of the expression.
   *
   * @param input shape of the piped value, which is the variable `value`
   * @param field path of a source field that replaces the piped value
   */
  cel: (expression: string, input: Shape | undefined, field: string | undefined) => Outcome<Step>;
}
