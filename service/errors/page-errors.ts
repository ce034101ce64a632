import { ApiError } from './api-error.ts';

/** The file is not part of this release. */
export function pageAssetNotFound(): ApiError {
  return new ApiError(404, 'file_not_found', { error: 'file not found: reload the page that links to it' });
}
