import { ApiError } from './api-error.ts';

/** The request does not say which generic node the Instance binds. */
export function genericRequired(): ApiError {
  return new ApiError(400, 'invalid_body', { error: 'generic_package and generic_node are required' });
}

/** The request has no name for the Instance. */
export function instanceNameRequired(): ApiError {
  return new ApiError(400, 'invalid_body', { error: 'name is required' });
}

/** An Instance that binds no port would be the generic node itself. */
export function nothingBound(): ApiError {
  return new ApiError(400, 'invalid_body', { error: 'at least one of output or input must be bound' });
}

/** A value or a draft is invalid, or a port is not open. */
export function invalidInstance(detail: string): ApiError {
  return new ApiError(400, 'invalid_instance', { error: detail });
}

/** The package is unknown or private to another tenant. The response is the same, so that it does not reveal private packages. */
export function genericPackageNotFound(): ApiError {
  return new ApiError(404, 'package_not_found', { error: 'generic package not found' });
}

/** The package is readable but does not contain the requested version or node. */
export function genericNodeNotFound(detail: string): ApiError {
  return new ApiError(404, 'node_not_found', { error: `generic node not found: ${detail}` });
}

/** The readable package does not have the version, or it was deleted. */
export function genericVersionNotFound(packageName: string, version: string): ApiError {
  return genericNodeNotFound(`${packageName} has no version "${version}"`);
}

/** The package already has an Instance of a generic node with this name, or concurrent requests keep changing the package. */
export function instanceNameTaken(): ApiError {
  return new ApiError(409, 'name_taken', { error: 'an instance with that name already exists' });
}

/** The name belongs to a published package, whose versions cannot change. */
export function nameOfPublishedPackage(name: string): ApiError {
  return new ApiError(409, 'package_conflict', {
    error: `${name} is a published package and cannot contain Instances: choose another name`,
  });
}

/** An Instance added to a package has the version and visibility of the package. */
export function instancePackageDiffers(name: string, what: string, standing: string): ApiError {
  return new ApiError(409, 'package_conflict', {
    error: `${name} has the ${what} "${standing}", which applies to all of its Instances: leave out ${what}`,
  });
}

/** The package contains another file of the same name, from another generic package. */
export function instanceTypesDiffer(name: string, file: string): ApiError {
  return new ApiError(409, 'package_conflict', {
    error: `${name} already contains a different ${file}: create this Instance under another name`,
  });
}
