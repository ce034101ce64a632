import { shortenDetail } from './shorten.ts';

/** Error texts of edges. The engine passes failures as values; only this file formats them. */

/** Ids of the nodes of an edge. */
interface EdgeEnds {
  from: string;
  to: string;
}

/** `edge "a" → "b": EvaluateEdge adapter: <detail>` */
export function edgeAdapterFailure(edge: EdgeEnds, detail: string): string {
  return `${edgeName(edge)}: EvaluateEdge adapter: ${detail}`;
}

/** `edge "a" → "b": EvaluateEdge condition: <detail>` */
export function edgeConditionFailure(edge: EdgeEnds, detail: string): string {
  return `${edgeName(edge)}: EvaluateEdge condition: ${detail}`;
}

/** `transform TRANSFORM_REGEX_REPLACE failed: <detail>` */
export function transformFailure(transform: string, detail: string): string {
  return `transform TRANSFORM_${transform.toUpperCase()} failed: ${shortenDetail(detail)}`;
}

/** `CEL parse error: <detail>`, for text that is not CEL, or is too long or too deeply nested. */
export function celParseError(detail: string): string {
  return `CEL parse error: ${shortenDetail(detail)}`;
}

/** `CEL compilation failed: <detail>`, for CEL that parses, but whose names or types are wrong. */
export function celCompilationFailed(detail: string): string {
  return `CEL compilation failed: ${shortenDetail(detail)}`;
}

/** `CEL evaluation failed: <detail>`, for an expression that compiles. An exceeded work budget has a text of its own. */
export function celEvaluationFailed(detail: string): string {
  return `CEL evaluation failed: ${shortenDetail(detail)}`;
}

/** An evaluation exceeded the work budget of its edge. */
export const expressionTooExpensive =
  'the expression is too expensive to evaluate on this input: move such work into a node';

/** The output of a node has more values than an evaluation may read. */
export function messageTooLarge(typeName: string): string {
  return `the ${typeName} has too many values for expressions to read: move such work into a node, or pass the message on without a condition and an adapter`;
}

/** The same for a field of an adapter or a compose plan, whose fields share one budget. */
export function fieldFailure(field: string, detail: string): string {
  return `field "${field}": ${detail}`;
}

/** A message has no JSON form: an `Any` in it has a type that no package of the expression declares, or a time is out of range. */
export function noTextForm(typeName: string, reason: string): string {
  return `cannot convert ${typeName} to text: ${reason}`;
}

function edgeName({ from, to }: EdgeEnds): string {
  return `edge "${from}" → "${to}"`;
}
