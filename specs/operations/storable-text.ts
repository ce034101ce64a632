import { z } from 'zod';

/** Text that every database keeps: none of them takes U+0000, nor half of a surrogate pair. */
export const storableText = z
  .string({ error: missingOrNoString })
  .refine((text) => text.isWellFormed() && !text.includes('\0'), {
    error: 'must be well-formed Unicode without U+0000',
  });

function missingOrNoString({ input }: { input?: unknown }): string {
  return input === undefined ? 'is required' : 'must be a string';
}
