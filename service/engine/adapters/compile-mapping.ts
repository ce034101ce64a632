import { create, toBinary } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import type { ReflectMessage } from '@bufbuild/protobuf/reflect';
import type { CelCompiler } from '../cel/cel-compiler.ts';
import { done, failed } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import type { Sources } from '../transforms/transform.ts';
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
  /** Other bindings set fields inside of what this one sets. */
  copied: boolean;
}

/**
 * Compiles expressions by field path: an adapter of an edge, or a compose plan over several. Every problem at once.
 *
 * @example
 * compileMapping({ text: 'title | trim', count: 'cel("size(tags)")' }, { sources, target }, cel)
 */
export function compileMapping(
  expressions: Readonly<Record<string, string>>,
  types: MappingTypes,
  cel: CelCompiler,
): CompiledMapping {
  const bindings = Object.entries(expressions).map(([field, expression]) => ({ field, expression }));
  return compileBindings(bindings, types, cel);
}

/** As `compileMapping`, of bindings that may each have an edge of their own. */
export function compileBindings(
  bindings: readonly Binding[],
  types: MappingTypes,
  cel: CelCompiler,
): CompiledMapping {
  const steps = compileSteps(bindings, types, cel);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** `compileBindings` binding by binding, for whoever has to do other things in between. */
export function* compileSteps(
  bindings: readonly Binding[],
  types: MappingTypes,
  cel: CelCompiler,
): Generator<undefined, CompiledMapping> {
  const scope = sourceScope(types);
  const problems: MappingProblem[] = [];
  const assigned = new Map<string, Assigned>();
  for (const binding of bindings) {
    yield;
    const compiled = compileBinding(binding, types.target, scope, cel);
    if (!compiled.ok) {
      problems.push({ field: binding.field, detail: compiled.detail });
      continue;
    }
    const { name } = compiled.value.path;
    if (assigned.has(name))
      problems.push({ field: binding.field, detail: `field "${name}" is mapped twice` });
    assigned.set(name, compiled.value);
  }
  if (problems.length > 0) return { ok: false, problems };
  // Outer messages first, so that what is set inside of them is not set over.
  const ordered = [...assigned.values()].sort((a, b) => a.path.through.length - b.path.through.length);
  for (const one of ordered) {
    one.copied = [...assigned.keys()].some((other) => other.startsWith(`${one.path.name}.`));
  }
  return {
    ok: true,
    mapping: {
      run: (sources) => runMapping(ordered, types.target, sources),
      steps: (sources) => mappingSteps(ordered, types.target, sources),
    },
  };
}

function compileBinding(
  { field, expression, edge }: Binding,
  target: MessageEnd,
  scope: SourceScope,
  cel: CelCompiler,
): Outcome<Assigned> {
  const path = resolveTargetPath(target.type, field);
  if (!path.ok) return path;
  const compiled = compileExpression(expression, { cel, scope, edge });
  if (!compiled.ok) return compiled;
  const { pick, shape, reads } = compiled.value;
  const fits = checkAssignment({
    source: pick === undefined ? { expression } : { pick },
    given: shape,
    target: path.value.name,
    wanted: fieldShape(path.value.field),
  });
  if (!fits.ok) return fits;
  const assigned = { path: path.value, expression: compiled.value, copied: false };
  // What reads no source gives the same in every run: what is wrong with it shows now.
  const tried = reads.size > 0 ? done(undefined) : assign(assigned, emptyMessage(target), new Map());
  return tried.ok ? done(assigned) : tried;
}

function runMapping(ordered: readonly Assigned[], target: MessageEnd, sources: Sources): Outcome<Uint8Array> {
  const message = emptyMessage(target);
  for (const one of ordered) {
    const made = assignRead(one, message, sources);
    if (!made.ok) return made;
  }
  return serialized(target, message);
}

/** `runMapping` in steps; a generator would cost the runs of flows too much. */
function* mappingSteps(
  ordered: readonly Assigned[],
  target: MessageEnd,
  sources: Sources,
): Generator<undefined, Outcome<Uint8Array>> {
  const message = emptyMessage(target);
  for (const one of ordered) {
    const made = assignRead(one, message, sources);
    if (!made.ok) return made;
    yield;
  }
  return serialized(target, message);
}

/** Leaves a field as it is whose sources are not there. */
function assignRead(one: Assigned, message: ReflectMessage, sources: Sources): Outcome<undefined> {
  if ([...one.expression.reads].some((edge) => !sources.has(edge))) return done(undefined);
  return assign(one, message, sources);
}

function serialized(target: MessageEnd, message: ReflectMessage): Outcome<Uint8Array> {
  try {
    return done(toBinary(target.type, message.message));
  } catch (error) {
    // A `required` field of proto2 that nothing fills.
    return failed(error instanceof Error ? error.message : String(error));
  }
}

function assign(
  { path, expression, copied }: Assigned,
  target: ReflectMessage,
  sources: Sources,
): Outcome<undefined> {
  const value = expression.evaluate(sources);
  if (!value.ok) return value;
  if (value.value.kind === 'absent') return done(undefined);
  return storeValue(openTarget(target, path), path.field, value.value, { target: path.name, copied });
}

function emptyMessage({ type }: MessageEnd): ReflectMessage {
  // Unchecked: what is stored has been converted to the field's kind.
  return reflect(type, create(type), false);
}
