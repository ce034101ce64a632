import type { z } from 'zod';

/** Lists all problems with their paths, for example `nodes[0].name: must start with a letter; version: is required`. */
export function describeIssues(error: z.ZodError): string {
  return error.issues
    .map((issue) => {
      const place = issue.path.reduce<string>(
        (path, key) =>
          typeof key === 'number' ? `${path}[${key}]` : path ? `${path}.${String(key)}` : String(key),
        '',
      );
      return place ? `${place}: ${issue.message}` : issue.message;
    })
    .join('; ');
}
