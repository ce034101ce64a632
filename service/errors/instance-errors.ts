import { ApiError } from './api-error.ts';

/** Refusals of creating Instances, with the texts of SPEC.md (Management routes). */

export function genericRequired(): ApiError {
  return new ApiError(400, { error: 'generic_package and generic_node are required' });
}

export function instanceNameRequired(): ApiError {
  return new ApiError(400, { error: 'name is required' });
}

export function nothingBound(): ApiError {
  return new ApiError(400, { error: 'at least one of output or input must be bound' });
}

/** A value that cannot be, a draft that is no message, a port that is not open; `detail` says what to do. */
export function invalidInstance(detail: string): ApiError {
  return new ApiError(400, { error: detail });
}

/** Unknown, or private to another tenant: never told apart. */
export function genericPackageNotFound(): ApiError {
  return new ApiError(404, { error: 'generic package not found' });
}

/** The package can be read but lacks what is asked for; `detail` names it. */
export function genericNodeNotFound(detail: string): ApiError {
  return new ApiError(404, { error: `generic node not found: ${detail}` });
}

export function instanceNameTaken(): ApiError {
  return new ApiError(409, { error: 'an instance with that name already exists' });
}

/** The name is a published package's, whose versions never change. */
export function nameOfPublishedPackage(name: string): ApiError {
  return new ApiError(409, {
    error: `${name} is a published package and takes no Instance: choose another name`,
  });
}

/** An Instance that joins others takes on what their package is. */
export function instancePackageDiffers(name: string, what: string, standing: string): ApiError {
  return new ApiError(409, {
    error: `${name} stands with ${what} "${standing}", which holds for all of its Instances: leave ${what} out`,
  });
}

/** Types of another generic package that cannot stand beside those that the name has. */
export function instanceTypesDiffer(name: string, file: string): ApiError {
  return new ApiError(409, {
    error: `${name} already holds other sources of ${file}: create this Instance under another name`,
  });
}
