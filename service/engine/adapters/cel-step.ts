import type { CelInput } from '@bufbuild/cel';
import type { CelCompiler, CelScope } from '../cel/cel-compiler.ts';
import { messageStaticType } from '../cel/check/field-type.ts';
import type { StaticType } from '../cel/check/static-type.ts';
import { rootVariable } from '../cel/name-fields.ts';
import { done } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import type { Shape } from '../transforms/shape.ts';
import type { Step } from '../transforms/transform.ts';
import { valueWork } from '../transforms/value-work.ts';
import { celInputOf, shapeOfStaticType, staticTypeOf, valueOfCel } from './cel-values.ts';
import type { SourceScope } from './source-scope.ts';

/** The context of a `cel(...)` call. */
export interface CelUse {
  cel: CelCompiler;
  scope: SourceScope;
  /** The edge whose fields the expression names directly, if any. */
  root: string | undefined;
  /** Called with every edge that the expression reads. */
  onRead: (edge: string) => void;
}

/** The name of the piped value. */
const pipedVariable = 'value';

/**
 * Compiles CEL as a pipeline step. Its variables are the piped `value`, the fields of the root source, and every source by its
 * edge id if that is an identifier. If names are equal, `value` takes precedence over fields, and fields over edges.
 */
export function celStep(expression: string, input: Shape | undefined, use: CelUse): Outcome<Step> {
  const edges = edgeVariables(use, input);
  const program = use.cel.compile(expression, celScope(use, input, edges));
  if (!program.ok) return program;
  const { type, reads, evaluate } = program.value;
  const readEdges = edges.filter((edge) => reads.has(edge));
  const root = reads.has(rootVariable) ? use.root : undefined;
  for (const edge of root === undefined ? readEdges : [...readEdges, root]) use.onRead(edge);
  return done({
    shape: shapeOfStaticType(type, use.scope.registry),
    apply(piped, { sources, meter }) {
      const variables: Record<string, CelInput> = {};
      for (const edge of readEdges) {
        const source = sources.get(edge);
        if (source !== undefined) variables[edge] = source;
      }
      if (piped !== undefined) {
        meter.spend(valueWork(piped, meter.left));
        variables[pipedVariable] = celInputOf(piped);
      }
      const message = root === undefined ? undefined : sources.get(root);
      const result = evaluate({ variables, ...(message && { root: message }) }, meter);
      return result.ok ? done(valueOfCel(result.value)) : result;
    },
  });
}

/** The edges that are variables: their id is an identifier that neither `value` nor a field shadows. */
function edgeVariables({ scope, root }: CelUse, input: Shape | undefined): string[] {
  const fields = root === undefined ? [] : (scope.sources.get(root)?.type.fields ?? []);
  const taken = new Set(fields.map((field) => field.name));
  if (input !== undefined) taken.add(pipedVariable);
  return [...scope.sources.keys()].filter((edge) => /^[A-Za-z_]\w*$/.test(edge) && !taken.has(edge));
}

function celScope({ scope, root }: CelUse, input: Shape | undefined, edges: readonly string[]): CelScope {
  const variables: Record<string, StaticType> = {};
  for (const edge of edges) {
    const type = scope.sources.get(edge)?.type;
    if (type !== undefined) variables[edge] = messageStaticType(type.typeName);
  }
  if (input !== undefined) variables[pipedVariable] = staticTypeOf(input);
  const type = root === undefined ? undefined : scope.sources.get(root)?.type;
  return { registry: scope.registry, variables, ...(type && { root: type }) };
}
