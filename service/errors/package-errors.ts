import { ApiError, type Json } from './api-error.ts';
import { formatDiagnostic, type ProtoCompileError } from './proto-compile-error.ts';

/** Reports all problems of the proto sources, each with file, line and column. */
export function protosDoNotCompile({ diagnostics }: ProtoCompileError): ApiError {
  return new ApiError(400, 'protos_do_not_compile', {
    error: `the protos do not compile: ${diagnostics.map(formatDiagnostic).join('; ')}`,
    diagnostics: diagnostics.map(({ file, line, column, message }): Json => ({
      file,
      line,
      column,
      message,
    })),
  });
}

/** Reports all problems of the declared nodes. */
export function invalidPackage(problems: readonly string[]): ApiError {
  return new ApiError(400, 'invalid_package', { error: `the package is not valid: ${problems.join('; ')}` });
}

/**
 * The package to publish or to change belongs to another tenant.
 *
 * @param handle the caller's handle
 */
export function foreignHandle(name: string, handle: string): ApiError {
  return new ApiError(403, 'foreign_handle', {
    error: `forbidden: "${name}" belongs to another tenant: the names of your packages start with "${handle}/"`,
  });
}

/**
 * The version is already published with other content. Publishing it again with the same content succeeds.
 */
export function versionExists(name: string, version: string): ApiError {
  return new ApiError(409, 'version_exists', {
    error: `${name} ${version} is published with other content and cannot change: publish a higher version`,
  });
}

/** A version number is never reused. */
export function versionDeleted(name: string, version: string): ApiError {
  return new ApiError(409, 'version_deleted', {
    error: `${name} ${version} was deleted, and a number is not used again: choose a higher version`,
  });
}

/** The only version of a package that holds Instances was deleted. */
export function shellDeleted(name: string, version: string): ApiError {
  return new ApiError(409, 'version_deleted', {
    error: `${name} ${version} was deleted, and a package of Instances has one version: choose another name`,
  });
}

/**
 * The version to delete has containers.
 *
 * @param uses what else refers to it, and what to do about it; may be empty
 */
export function versionDeployed(name: string, version: string, uses: string): ApiError {
  const inUse = uses === '' ? '' : `; it is also in use: ${uses}`;
  return new ApiError(409, 'version_deployed', {
    error: `${name} ${version} is deployed: undeploy it before you delete it${inUse}`,
  });
}

/**
 * The version to delete is still in use.
 *
 * @param uses what refers to it, and what to do about it
 */
export function versionInUse(name: string, version: string, uses: string): ApiError {
  return new ApiError(409, 'version_in_use', { error: `${name} ${version} is in use: ${uses}` });
}

/** The package is unknown, or private to another tenant. */
export function packageNotFound(): ApiError {
  return new ApiError(404, 'package_not_found', { error: 'package not found' });
}

/** The package is readable, but the version is unknown or was deleted. */
export function packageVersionNotFound(): ApiError {
  return new ApiError(404, 'version_not_found', { error: 'package version not found' });
}

/** A token was given without an endpoint, but belongs to the containers at an endpoint. */
export function tokenWithoutEndpoint(): ApiError {
  return new ApiError(400, 'invalid_body', {
    error: 'token is given without endpoint: give the endpoint of the containers too',
  });
}

/** This process cannot encrypt a token, because the operator has changed the key. */
export function sealingKeyChanged(): ApiError {
  return new ApiError(503, 'sealing_key_changed', {
    error:
      'the token cannot be stored, because the encryption key has changed: the operator restarts the service',
  });
}

/** The endpoint is malformed, or the operator does not allow the tenant to deploy there. `detail` is the complete text. */
export function invalidEndpoint(detail: string): ApiError {
  return new ApiError(400, 'invalid_endpoint', { error: detail });
}

/** @param difference the first difference from the publication, as a sentence about "the container" */
export function containerServesOther(endpoint: string, difference: string): ApiError {
  return new ApiError(409, 'container_differs', {
    error: `${difference.replace('the container', `the container at ${endpoint}`)}: if its package has changed, restart it with the new messages (svc node types writes their types); otherwise give the endpoint of the right container`,
  });
}

/** The node is unknown, or its package is private to another tenant. */
export function nodeSchemaNotFound(): ApiError {
  return new ApiError(404, 'node_not_found', { error: 'node not found' });
}

/**
 * The package holds Instances, which are created by an operation of their own and run in the containers of
 * their generic package.
 */
export function packageHoldsInstances(name: string): ApiError {
  return new ApiError(409, 'package_conflict', {
    error: `${name} contains Instances, which cannot be published or deployed: use another name, or deploy the generic package`,
  });
}
