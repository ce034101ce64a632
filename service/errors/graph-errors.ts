import { ApiError, type Json } from './api-error.ts';

/** Refusals of compiling and reading flows, and of their config profiles (DESIGN.md 5). */

/** How many problems the message repeats; `diagnostics` has all of them. */
const toldProblems = 10;

/** Everything that is wrong with the document at once; each with a stable code and where it stands. */
export function compileFailed(
  diagnostics: readonly { code: string; node?: string; edge?: string; field?: string; message: string }[],
): ApiError {
  const told = diagnostics.slice(0, toldProblems).map(({ message }) => message);
  if (diagnostics.length > told.length) told.push(`and ${diagnostics.length - told.length} more`);
  return new ApiError(400, {
    error: 'compile_failed',
    message: `the flow does not compile: ${told.join('; ')}`,
    diagnostics: diagnostics.map(({ code, node, edge, field, message }): Json => ({
      code,
      node,
      edge,
      field,
      message,
    })),
  });
}

/** What a compose plan came to grief with, when it was compiled or run. */
export function composeFailure(node: string, detail: string): string {
  return `node "${node}": EvaluateCompose adapter: ${detail}`;
}

/** Unknown, or another tenant's. */
export function graphNotFound(): ApiError {
  return new ApiError(404, { error: 'graph not found' });
}

export function configNotFound(): ApiError {
  return new ApiError(404, { error: 'config not found' });
}
