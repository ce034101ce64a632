import { z } from 'zod';

/** Management refusal: `{error: <text>}` (SPEC.md, Management routes). */
export const managementError = z.object({ error: z.string() });

/** Invocation refusal with a known cause: a stable class, and what it carries (SPEC.md, Envelope). */
export const invocationError = z.looseObject({ error: z.string(), message: z.string().optional() });

/** Refusal of an invocation without a class of its own (SPEC.md, Envelope, first and last row). */
export const invocationRefusal = z.object({ accepted: z.literal(false), error_message: z.string() });

/** Refusal of a single-node call (SPEC.md, Single node). */
export const nodeError = z.object({ error_message: z.string(), execution_id: z.string().optional() });

/** Where one problem stands in a proto source. */
export const protoDiagnostic = z.object({
  file: z.string(),
  line: z.number().int(),
  column: z.number().int(),
  message: z.string(),
});

/** A package whose protos do not compile. */
export const publishError = managementError.extend({ diagnostics: z.array(protoDiagnostic).optional() });
