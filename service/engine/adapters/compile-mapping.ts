import { create, toBinary } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import type { ReflectMessage } from '@bufbuild/protobuf/reflect';
import { thrownMessage } from '../../errors/thrown-message.ts';
import type { CelCompiler } from '../cel/cel-compiler.ts';
import { done, failed } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import { fieldFailure } from '../../errors/edge-errors.ts';
import type { Work } from '../transforms/transform.ts';
import { WorkMeter, withinBudget } from '../work/work-meter.ts';
import { checkAssignment } from './check-assignment.ts';
import { compileExpression } from './compile-expression.ts';
import type { CompiledExpression } from './compile-expression.ts';
import { fieldShape } from './field-shape.ts';
import type { Binding, CompiledMapping, MappingProblem, MappingTypes, MessageEnd } from './mapping.ts';
import { sourceScope } from './source-scope.ts';
import type { SourceScope } from './source-scope.ts';
import { storeValue } from './store-value.ts';
import { openTarget, resolveTargetPath } from './target-path.ts';
import type { TargetPath } from './target-path.ts';

/** A binding that compiles. */
interface Assigned {
  path: TargetPath;
  expression: CompiledExpression;
  /** Another binding sets a field inside the message that this one sets. */
  copied: boolean;
}

/** Returns the bindings of expressions by field path. */
export function bindingsOf(expressions: Readonly<Record<string, string>>): Binding[] {
  return Object.entries(expressions).map(([field, expression]) => ({ field, expression }));
}

/**
 * Compiles bindings by field path: the adapter of an edge, or a compose plan over several edges. Reports every problem. Yields before
 * each binding so that callers can interleave other work.
 *
 * @example
 * compileSteps(bindingsOf({ text: 'title | trim', count: 'cel("size(tags)")' }), { sources, target }, cel)
 */
export function* compileSteps(
  bindings: readonly Binding[],
  types: MappingTypes,
  cel: CelCompiler,
): Generator<undefined, CompiledMapping> {
  const scope = sourceScope(types);
  const problems: MappingProblem[] = [];
  const { registry } = scope;
  const work: Work = { sources: new Map(), meter: new WorkMeter(), registry };
  const assigned = new Map<string, Assigned>();
  for (const binding of bindings) {
    yield;
    const compiled = compileBinding(binding, types.target, { scope, cel, work });
    if (!compiled.ok) {
      problems.push({ field: binding.field, detail: compiled.detail });
      continue;
    }
    const { name } = compiled.value.path;
    if (assigned.has(name))
      problems.push({
        field: binding.field,
        detail: `field "${name}" is mapped twice: remove one of the mappings`,
      });
    assigned.set(name, compiled.value);
  }
  if (problems.length > 0) return { ok: false, problems };
  // Outer messages come first, so that they do not overwrite fields set inside them. Ties are sorted by name, so that
  // the result does not depend on the order in the document: of two members of a oneof, the last one wins, and the id
  // of a flow ignores the order too.
  const ordered = [...assigned.values()].sort(
    (a, b) => a.path.through.length - b.path.through.length || (a.path.name < b.path.name ? -1 : 1),
  );
  const outer = new Set(ordered.flatMap(({ path }) => outerNames(path.name)));
  for (const one of ordered) one.copied = outer.has(one.path.name);
  return {
    ok: true,
    mapping: {
      run: (run) => runMapping(ordered, types.target, { ...run, registry }),
      steps: (run) => mappingSteps(ordered, types.target, { ...run, registry }),
    },
  };
}

/** `a` and `a.b` for `a.b.c`. */
function outerNames(path: string): string[] {
  const names = path.split('.');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('.'));
}

interface BindingContext {
  scope: SourceScope;
  cel: CelCompiler;
  /** Pays for evaluations during compilation. */
  work: Work;
}

function compileBinding(
  { field, expression, edge }: Binding,
  target: MessageEnd,
  { scope, cel, work }: BindingContext,
): Outcome<Assigned> {
  const path = resolveTargetPath(target.type, field);
  if (!path.ok) return path;
  const compiled = withinBudget(
    () => compileExpression(expression, { cel, scope, edge, meter: new WorkMeter() }),
    (detail) => fieldFailure(path.value.name, detail),
  );
  if (!compiled.ok) return compiled;
  const { pick, shape, reads } = compiled.value;
  const fits = checkAssignment({
    source: pick === undefined ? { expression } : { pick },
    actual: shape,
    target: path.value.name,
    expected: fieldShape(path.value.field),
  });
  if (!fits.ok) return fits;
  const assigned = { path: path.value, expression: compiled.value, copied: false };
  // An expression that reads no source has the same result in every run, so evaluating it now reports its errors early.
  const trial = reads.size > 0 ? done(undefined) : assign(assigned, emptyMessage(target), work);
  return trial.ok ? done(assigned) : trial;
}

function runMapping(ordered: readonly Assigned[], target: MessageEnd, work: Work): Outcome<Uint8Array> {
  const message = emptyMessage(target);
  for (const one of ordered) {
    const result = assignIfPresent(one, message, work);
    if (!result.ok) return result;
  }
  return serialized(target, message);
}

/** Like `runMapping`, but yields after each field. Flows use `runMapping`, because a generator is slower. */
function* mappingSteps(
  ordered: readonly Assigned[],
  target: MessageEnd,
  work: Work,
): Generator<undefined, Outcome<Uint8Array>> {
  const message = emptyMessage(target);
  for (const one of ordered) {
    const result = assignIfPresent(one, message, work);
    if (!result.ok) return result;
    yield;
  }
  return serialized(target, message);
}

/** Leaves the field unset when a source that its expression reads is missing. */
function assignIfPresent(one: Assigned, message: ReflectMessage, work: Work): Outcome<undefined> {
  if ([...one.expression.reads].some((edge) => !work.sources.has(edge))) return done(undefined);
  return assign(one, message, work);
}

function serialized(target: MessageEnd, message: ReflectMessage): Outcome<Uint8Array> {
  try {
    return done(toBinary(target.type, message.message));
  } catch (error) {
    // A proto2 `required` field without a value.
    return failed(thrownMessage(error));
  }
}

/** Units of work to set a field, and for each message on the way to it. */
const unitsOfField = 8;

function assign(one: Assigned, target: ReflectMessage, work: Work): Outcome<undefined> {
  return withinBudget(
    () => assignWithin(one, target, work),
    (detail) => fieldFailure(one.path.name, detail),
  );
}

function assignWithin(
  { path, expression, copied }: Assigned,
  target: ReflectMessage,
  work: Work,
): Outcome<undefined> {
  const { meter, registry } = work;
  meter.spend(unitsOfField * (1 + path.through.length));
  const value = expression.evaluate(work);
  if (!value.ok) return value;
  if (value.value.kind === 'absent') return done(undefined);
  const options = { target: path.name, copied, meter, registry };
  return storeValue(openTarget(target, path), path.field, value.value, options);
}

function emptyMessage({ type }: MessageEnd): ReflectMessage {
  // Unchecked, because values are converted to the kind of their field before they are stored.
  return reflect(type, create(type), false);
}
