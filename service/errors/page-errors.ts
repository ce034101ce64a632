import { ApiError } from './api-error.ts';

/** A file of pages under a name that this release does not have. */
export function pageAssetNotFound(): ApiError {
  return new ApiError(404, { error: 'no such file: reload the page that named it' });
}
