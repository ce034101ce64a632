import { ApiError, type Json } from './api-error.ts';
import { formatDiagnostic, type ProtoCompileError } from './proto-compile-error.ts';

/** Refusals of publishing, reading and deploying packages (SPEC.md, Management routes; DESIGN.md 4). */

/** The sources do not compile: every problem, each with file, line and column. */
export function protosDoNotCompile({ diagnostics }: ProtoCompileError): ApiError {
  return new ApiError(400, {
    error: `the protos do not compile: ${diagnostics.map(formatDiagnostic).join('; ')}`,
    diagnostics: diagnostics.map(({ file, line, column, message }): Json => ({
      file,
      line,
      column,
      message,
    })),
  });
}

/** Every problem of the declared nodes at once. */
export function invalidPackage(problems: readonly string[]): ApiError {
  return new ApiError(400, { error: `the package is not valid: ${problems.join('; ')}` });
}

export function foreignHandle(name: string, handle: string): ApiError {
  return new ApiError(403, {
    error: `forbidden: "${name}" is not yours: the names of your packages start with "${handle}/"`,
  });
}

export function versionExists(name: string, version: string): ApiError {
  return new ApiError(409, {
    error: `${name} ${version} is published with other content and cannot change: raise the version`,
  });
}

export function packageNotFound(): ApiError {
  return new ApiError(404, { error: 'package not found' });
}

export function packageVersionNotFound(): ApiError {
  return new ApiError(404, { error: 'package version not found' });
}

export function invalidEndpoint(detail: string): ApiError {
  return new ApiError(400, { error: detail });
}

/** The node is unknown, or of another tenant's private package. */
export function nodeSchemaNotFound(): ApiError {
  return new ApiError(404, { error: 'node not found' });
}

/** Instances are made by requests of their own, and answered by the containers of what they bind. */
export function packageHoldsInstances(name: string): ApiError {
  return new ApiError(409, {
    error: `${name} holds Instances, which are neither published nor deployed: use another name, or deploy what they bind`,
  });
}
