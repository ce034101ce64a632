import { transformFailure } from '../../errors/edge-errors.ts';
import type { CelCompiler } from '../cel/cel-compiler.ts';
import { done, failed } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import { transforms } from '../transforms/all-transforms.ts';
import { dynShape } from '../transforms/shape.ts';
import type { Shape } from '../transforms/shape.ts';
import type { Step, Work } from '../transforms/transform.ts';
import type { WorkMeter } from '../work/work-meter.ts';
import { absent } from '../transforms/value.ts';
import type { Value } from '../transforms/value.ts';
import { celStep } from './cel-step.ts';
import type { CelUse } from './cel-step.ts';
import { parseAdapter } from './parse-adapter.ts';
import type { Head, TransformCall } from './parse-adapter.ts';
import { resolveSourcePath } from './source-path.ts';
import { findSource } from './source-scope.ts';
import type { SourceScope } from './source-scope.ts';
import { shorten } from '../../errors/shorten.ts';

/** An adapter expression that type-checks against its sources. */
export interface CompiledExpression {
  shape: Shape;
  /** Ids of the edges that it reads. */
  reads: ReadonlySet<string>;
  /** The source text, if the expression is a single field pick. */
  pick?: string;
  /**
   * Returns the value. `absent` leaves the field unset.
   *
   * @throws WorkExceeded if it costs more than the remaining budget
   */
  evaluate: (work: Work) => Outcome<Value>;
}

interface ExpressionContext {
  /** Pays for work during compilation. */
  meter: WorkMeter;
  cel: CelCompiler;
  scope: SourceScope;
  /** The edge read by picks that have no edge id, if the binding names one. */
  edge: string | undefined;
}

/** The result of the pipeline so far. `undefined` means that no value is piped in. */
interface Stage {
  shape: Shape | undefined;
  evaluate: (work: Work) => Outcome<Value | undefined>;
}

/**
 * Parses an adapter expression, and checks it against its sources.
 *
 * @throws WorkExceeded if compiling its patterns costs more than the remaining budget of the context
 */
export function compileExpression(source: string, context: ExpressionContext): Outcome<CompiledExpression> {
  const parsed = parseAdapter(source);
  if (!parsed.ok) return failed(`malformed expression ${quoted(source)}: ${parsed.detail}`);
  const { head, transforms: piped } = parsed.value;
  const reads = new Set<string>();
  let stage = compileHead(head, context, reads);
  for (const call of head.kind === 'call' ? [head.call, ...piped] : piped) {
    if (stage.ok) stage = compileCall(call, stage.value, context, reads);
  }
  if (!stage.ok) return stage;
  const { shape = dynShape, evaluate } = stage.value;
  return done({
    shape,
    reads,
    ...(head.kind === 'pick' && piped.length === 0 ? { pick: pickText(head) } : {}),
    evaluate: (work) => {
      const result = evaluate(work);
      return result.ok ? done(result.value ?? absent) : result;
    },
  });
}

function compileHead(head: Head, context: ExpressionContext, reads: Set<string>): Outcome<Stage> {
  switch (head.kind) {
    case 'call':
      return done({ shape: undefined, evaluate: () => done(undefined) });
    case 'literal':
      return done({ shape: literalShape(head.value), evaluate: () => done(head.value) });
    case 'pick':
      return compilePick(head, context, reads);
  }
}

function compilePick(
  pick: { edge?: string; path: readonly string[] },
  { scope, edge }: ExpressionContext,
  reads: Set<string>,
): Outcome<Stage> {
  const written = pickText(pick);
  const source = findSource(scope, pick.edge ?? edge, `field pick "${written}"`);
  if (!source.ok) return source;
  const { edge: read, end } = source.value;
  const path = resolveSourcePath(end.type, pick.path, written);
  if (!path.ok) return path;
  reads.add(read);
  return done({
    shape: path.value.shape,
    evaluate: ({ sources, meter }) => {
      const message = sources.get(read);
      return done(message === undefined ? absent : path.value.read(message, meter));
    },
  });
}

function compileCall(
  call: TransformCall,
  stage: Stage,
  context: ExpressionContext,
  reads: Set<string>,
): Outcome<Stage> {
  const transform = transforms.get(call.name);
  if (transform === undefined) {
    const names = [...new Set([...transforms.values()].map(({ name }) => name))].join(', ');
    return failed(`unknown transform "${call.name}" at column ${call.column}: use one of ${names}`);
  }
  const cel: { before: Stage; failed: boolean } = { before: stage, failed: false };
  const step = transform.prepare(call.args, stage.shape, {
    meter: context.meter,
    cel: (expression, input, field) => {
      const picked = field === undefined ? done(stage) : compileField(field, context, reads);
      if (!picked.ok) return picked;
      cel.before = picked.value;
      const compiled = celStep(
        expression,
        field === undefined ? input : picked.value.shape,
        celUse(context, reads),
      );
      cel.failed = !compiled.ok;
      return compiled;
    },
  });
  // CEL errors at the head of an expression have no transform prefix. After a pipe, `cel` is a transform like the others.
  const atHead = stage.shape === undefined;
  const explain = (detail: string) => transformFailure(transform.name, detail);
  if (!step.ok) return failed(atHead && cel.failed ? step.detail : explain(step.detail));
  return done(pipe(cel.before, step.value, atHead ? (detail) => detail : explain));
}

/** Units of work per transform, regardless of its input. */
const unitsOfStep = 2;

function pipe(before: Stage, { shape, apply }: Step, explain: (detail: string) => string): Stage {
  return {
    shape,
    evaluate: (work) => {
      const input = before.evaluate(work);
      if (!input.ok) return input;
      work.meter.spend(unitsOfStep);
      const output = apply(input.value, work);
      return output.ok ? output : failed(explain(output.detail));
    },
  };
}

/** Compiles the second argument of `cel`, a field path of a source. */
function compileField(field: string, context: ExpressionContext, reads: Set<string>): Outcome<Stage> {
  const parsed = parseAdapter(field);
  if (!parsed.ok || parsed.value.head.kind !== 'pick' || parsed.value.transforms.length > 0) {
    return failed(`srcField ${quoted(field)} is not a field path`);
  }
  return compilePick(parsed.value.head, context, reads);
}

function celUse({ cel, scope, edge }: ExpressionContext, reads: Set<string>): CelUse {
  const [only, ...others] = scope.sources.keys();
  const root = edge ?? (others.length === 0 ? only : undefined);
  return { cel, scope, root, onRead: (one) => void reads.add(one) };
}

function literalShape(value: Value): Shape {
  switch (value.kind) {
    case 'bool':
    case 'string':
      return { kind: value.kind };
    case 'double':
    case 'int64':
    case 'uint64':
      return { kind: 'number' };
    default:
      return { kind: 'null' };
  }
}

function pickText({ edge, path }: { edge?: string; path: readonly string[] }): string {
  const text = path.length === 0 ? '*' : path.join('.');
  return edge === undefined ? text : `${edge}:${text}`;
}

function quoted(source: string): string {
  return JSON.stringify(shorten(source, 80));
}
