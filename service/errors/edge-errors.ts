/** Error texts of edges. The engine passes failures as values; this file alone formats them. */

/** Canvas ids of the nodes of an edge. */
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
  return `transform TRANSFORM_${transform.toUpperCase()} failed: ${shorten(detail)}`;
}

export function celParseError(detail: string): string {
  return `CEL parse error: ${shorten(detail)}`;
}

export function celCompilationFailed(detail: string): string {
  return `CEL compilation failed: ${shorten(detail)}`;
}

export function celEvaluationFailed(detail: string): string {
  return `CEL evaluation failed: ${shorten(detail)}`;
}

function edgeName({ from, to }: EdgeEnds): string {
  return `edge "${from}" → "${to}"`;
}

/** Details may quote data, so their length is limited. */
const maxDetailLength = 1000;

function shorten(detail: string): string {
  return detail.length > maxDetailLength ? `${detail.slice(0, maxDetailLength)}...`.toWellFormed() : detail;
}
