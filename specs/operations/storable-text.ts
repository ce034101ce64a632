import { z } from 'zod';

/** Text that every database can store: without U+0000 and without unpaired surrogates. */
export const storableText = z
  .string({ error: missingOrNotString })
  .refine((text) => text.isWellFormed() && !text.includes('\0'), {
    error: 'must be well-formed Unicode without U+0000',
  });

function missingOrNotString({ input }: { input?: unknown }): string {
  return input === undefined ? 'is required' : 'must be a string';
}
