import { ApiError } from '../../errors/api-error.ts';
import { executionHeader, inputLate } from '../../errors/node-errors.ts';
import { refusalText } from '../../errors/refusal-text.ts';
import type { Conversion } from '../../messages/conversion.ts';
import type { DirectExecution } from './direct-execution.ts';
import { stopReading } from './feed-input.ts';
import { inputRefusal } from './input-refusal.ts';
import type { SentMessage } from './message-form.ts';

interface FirstInputOptions {
  execution: DirectExecution;
  /** Serializes a frame. */
  serialize: (frame: SentMessage<'json'>) => Promise<Conversion<Uint8Array>>;
  /** Time in which the frame must arrive. */
  timeoutMs: number;
  /** Fires when the caller leaves. */
  signal: AbortSignal;
  /**
   * The caller knows the id of the execution, so the execution is recorded even if the node is never called.
   */
  isIdKnown: boolean;
  form: Parameters<typeof inputRefusal>[2];
}

/**
 * Reads the first frame of a stream's input, which decides whether the node is called. Returns it serialized, or `undefined` for an
 * input without frames.
 *
 * @throws ApiError if the frame does not fit or does not arrive in time
 */
export async function readFirstInput(
  input: AsyncIterator<SentMessage<'json'>>,
  { execution, serialize, timeoutMs, signal, isIdKnown, form }: FirstInputOptions,
): Promise<Uint8Array | undefined> {
  const sent = await firstFrame(input, timeoutMs).catch((error: unknown) => {
    if (isIdKnown && error instanceof ApiError) return refuse(execution, error, signal);
    throw error;
  });
  if (sent.done) return undefined;
  const first = await serialize(sent.value);
  if (first.ok) return first.value;
  const refusal = inputRefusal(first.error, execution.executionId, form);
  if (isIdKnown || first.error.code === 'undeclared_ordinal') return refuse(execution, refusal, signal);
  throw refusal;
}

/** Records an execution that ends before it calls its node. */
async function refuse(
  { executionId, record }: DirectExecution,
  refusal: ApiError,
  signal: AbortSignal,
): Promise<never> {
  const message = refusalText(refusal);
  if (signal.aborted) await record('CANCELLED', { message, kind: 'CANCELLED' });
  else await record('FAILED', { message, kind: 'INPUT_INVALID' });
  const { status, code, body, headers } = refusal;
  throw new ApiError(status, code, body, { ...headers, ...executionHeader(executionId) });
}

/** Waits for the first frame of an upload, which may pause. */
async function firstFrame<T>(input: AsyncIterator<T>, timeoutMs: number): Promise<IteratorResult<T>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(inputLate(timeoutMs)), timeoutMs);
  });
  try {
    return await Promise.race([input.next(), late]);
  } catch (error) {
    stopReading(input);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
