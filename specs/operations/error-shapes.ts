import { z } from 'zod';

/** Management refusal: `{error: <text>}` (SPEC.md, Management routes). */
export const managementError = z
  .object({ error: z.string().describe('What is wrong, in words.') })
  .meta({ id: 'ManagementError' });

/** Invocation refusal with a known cause: a stable class, and what it carries (SPEC.md, Envelope). */
export const invocationError = z
  .looseObject({
    error: z.string().describe('The cause: a class that does not change, or a text.'),
    message: z.string().optional().describe('What is wrong, in words.'),
  })
  .meta({ id: 'InvocationError' });

/** Refusal before the handler, of a caller or for now (SPEC.md, Envelope): a class, and what it carries. */
export const refusal = z
  .object({
    error: z.string().describe('The cause: a class that does not change, or a text.'),
    message: z.string().optional().describe('What is wrong, in words.'),
    retry_after_seconds: z.int().optional().describe('When to try again.'),
  })
  .meta({ id: 'Refusal' });

/** A parameter of an invocation route is not what it should be (DESIGN.md 7). */
export const parameterError = z
  .object({
    error: z.literal('invalid_argument').describe('The cause.'),
    message: z.string().describe('What is wrong, in words.'),
  })
  .meta({ id: 'ParameterError' });

/** Input over the limit (SPEC.md, Envelope, 413). */
export const sizeRefusal = z
  .object({
    error: z.literal('payload_too_large').describe('The cause.'),
    message: z.string().describe('What is wrong, in words.'),
    max_bytes: z.int().describe('What the input may have.'),
    actual_bytes: z.int().optional().describe('What it has, where that is known.'),
  })
  .meta({ id: 'SizeRefusal' });

/** Refusal of an invocation without a class of its own (SPEC.md, Envelope, first and last row). */
export const invocationRefusal = z
  .object({
    accepted: z.literal(false).describe('It was not.'),
    error_message: z.string().describe('What is wrong, in words.'),
  })
  .meta({ id: 'InvocationRefusal' });

/** Refusal of a single-node call (SPEC.md, Single node). */
export const nodeError = z
  .object({
    error_message: z.string().describe('What is wrong, in words.'),
    execution_id: z.string().optional().describe('Of the record of the call, if there is one.'),
  })
  .meta({ id: 'NodeError' });

/** Where one problem stands in a proto source. */
export const protoDiagnostic = z
  .object({
    file: z.string().describe('Import path of the source.'),
    line: z.number().int().describe('From 1.'),
    column: z.number().int().describe('From 1.'),
    message: z.string().describe('What is wrong, in words.'),
  })
  .meta({ id: 'ProtoDiagnostic' });

/** A package whose protos do not compile. */
export const publishError = managementError
  .extend({ diagnostics: z.array(protoDiagnostic).optional().describe('Every problem of the protos.') })
  .meta({ id: 'PublishError' });
