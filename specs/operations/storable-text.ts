import { z } from 'zod';
import { noString, problemText } from './problem-text.ts';

/** Text that every database can store: without U+0000 and without unpaired surrogates. */
export const storableText = z
  .string({ error: textError })
  .refine((text) => text.isWellFormed() && !text.includes('\0'), {
    error: 'must be well-formed Unicode without U+0000',
  });

function textError(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== 'invalid_type') return problemText(issue);
  return issue.input === undefined ? 'is required' : noString(issue.input);
}
