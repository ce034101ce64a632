import { z } from 'zod';
import type { ErrorCode } from '../error-codes.ts';

/** Fields of every JSON error, in addition to the fields of its envelope. */
export const errorFields = {
  code: z
    .string()
    .regex(/^[a-z][a-z0-9_]*$/)
    .describe('The stable code of the error. Further codes may be added.'),
  message: z.string().describe('Error text for people.'),
  request_id: z.uuid().describe('Id of the request, as in the header `X-Request-Id`.'),
};

/** Completes the example of an error. */
export function errorExample(code: ErrorCode, message: string, body: object): object {
  return { ...body, code, message, request_id: '0b8f7a52-4d0c-4b6f-9a55-5d1f3c1f6f0e' };
}

/** A refusal of a management route. */
export const managementError = z
  .object({ error: z.string().describe('Error text.'), ...errorFields })
  .meta({ id: 'ManagementError' });

/** A refusal of an invocation route with a known cause. */
export const invocationError = z
  .looseObject({
    error: z.string().describe('A stable error class, or an error text.'),
    ...errorFields,
  })
  .meta({ id: 'InvocationError' });

/** A refusal of the gate, before the handler runs. */
export const refusal = z
  .object({
    error: z.string().describe('A stable error class, or an error text.'),
    ...errorFields,
    retry_after_seconds: z.int().optional().describe('Seconds to wait before the next attempt.'),
  })
  .meta({ id: 'Refusal' });

/** A refusal of an invalid parameter of an invocation route. */
export const parameterError = z
  .object({
    error: z.literal('invalid_argument').describe('The error class.'),
    ...errorFields,
  })
  .meta({ id: 'ParameterError' });

/** A refusal of input over the size limit. */
export const sizeRefusal = z
  .object({
    error: z.literal('payload_too_large').describe('The error class.'),
    ...errorFields,
    max_bytes: z.int().describe('Maximum size of the input in bytes.'),
    actual_bytes: z.int().optional().describe('Size of the input in bytes, if known.'),
  })
  .meta({ id: 'SizeRefusal' });

/** A refusal of an invocation without an error class. */
export const invocationRefusal = z
  .object({
    accepted: z.literal(false).describe('Always `false`.'),
    error_message: z.string().describe('Error text.'),
    ...errorFields,
  })
  .meta({ id: 'InvocationRefusal' });

/** A refusal of a node call. */
export const nodeError = z
  .object({
    error_message: z.string().describe('Error text.'),
    ...errorFields,
    execution_id: z.string().optional().describe('Id of the execution, if the call created one.'),
  })
  .meta({ id: 'NodeError' });

/** A problem in a proto source. */
const protoDiagnostic = z
  .object({
    file: z.string().describe('Import path of the file.'),
    line: z.number().int().describe('Line, starting at 1.'),
    column: z.number().int().describe('Column, starting at 1.'),
    message: z.string().describe('Error text.'),
  })
  .meta({ id: 'ProtoDiagnostic' });

/** A refusal of a package, for example because its protos do not compile. */
export const publishError = managementError
  .extend({ diagnostics: z.array(protoDiagnostic).optional().describe('All problems of the protos.') })
  .meta({ id: 'PublishError' });
