import { limits } from '../../specs/limits.ts';
import { ApiError, type Json } from './api-error.ts';

/** Number of problems that the message repeats; `diagnostics` contains all. */
const repeatedProblems = 10;

/** Reports all problems of a flow document, each with a stable code and its location. */
export function compileFailed(
  diagnostics: readonly { code: string; node?: string; edge?: string; field?: string; message: string }[],
): ApiError {
  const repeated = diagnostics.slice(0, repeatedProblems).map(({ message }) => message);
  if (diagnostics.length > repeated.length) repeated.push(`and ${diagnostics.length - repeated.length} more`);
  return new ApiError(400, 'compile_failed', {
    error: 'compile_failed',
    message: `the flow does not compile: ${repeated.join('; ')}`,
    diagnostics: diagnostics.map(({ code, node, edge, field, message }): Json => ({
      code,
      node,
      edge,
      field,
      message,
    })),
  });
}

/** Error text of a compose plan that does not compile or evaluate. */
export function composeFailure(node: string, detail: string): string {
  return `node "${node}": EvaluateCompose adapter: ${detail}`;
}

/** The graph is unknown or belongs to another tenant. */
export function graphNotFound(): ApiError {
  return new ApiError(404, 'graph_not_found', { error: 'graph not found' });
}

/** The tenant has too many config profiles: a longer list could not be returned in one response. */
export function tooManyConfigs(): ApiError {
  const { configsPerTenant, configBytesPerTenant } = limits;
  return new ApiError(409, 'too_many_configs', {
    error:
      `a tenant may have ${configsPerTenant} config profiles, with ${configBytesPerTenant} bytes of JSON together: ` +
      'delete or shorten some',
  });
}

/** The tenant has no config profile with the id. The profiles of its flows do not count. */
export function configNotFound(): ApiError {
  return new ApiError(404, 'config_not_found', { error: 'config not found' });
}
