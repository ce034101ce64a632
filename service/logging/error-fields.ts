/** The fields of an error in the log. */
interface ErrorFields {
  /** Name of the class. */
  type: string;
  message: string;
  stack?: string;
  code?: string | number;
  errno?: number;
  syscall?: string;
  address?: string;
  port?: number;
  cause?: ErrorFields;
}

/** Maximum number of nested causes; deeper ones are omitted. */
const maxCauses = 5;

/** A message or a stack may quote a request. */
const maxCharacters = 8_192;

/**
 * Returns the fields of an error that may be logged. Every other field is omitted, because libraries attach the data that they
 * worked on: the HTTP parser attaches the packet, whose head contains the caller's key.
 */
export function errorFields(error: unknown): ErrorFields {
  return fieldsOf(error, maxCauses);
}

function fieldsOf(error: unknown, causesLeft: number): ErrorFields {
  if (!(error instanceof Error)) {
    return { type: typeof error, message: typeof error === 'string' ? shown(error) : 'not an error' };
  }
  const { name, message, stack, cause } = error;
  const { code, errno, syscall, address, port } = error as NodeJS.ErrnoException & Record<string, unknown>;
  return {
    type: shown(error.constructor.name || name),
    message: shown(message),
    ...(typeof stack === 'string' && { stack: shown(stack) }),
    ...((typeof code === 'string' || typeof code === 'number') && {
      code: typeof code === 'string' ? shown(code) : code,
    }),
    ...(typeof errno === 'number' && { errno }),
    ...(typeof syscall === 'string' && { syscall: shown(syscall) }),
    ...(typeof address === 'string' && { address: shown(address) }),
    ...(typeof port === 'number' && { port }),
    ...(cause !== undefined && causesLeft > 0 && { cause: fieldsOf(cause, causesLeft - 1) }),
  };
}

function shown(text: string): string {
  const cut = text.length > maxCharacters ? `${text.slice(0, maxCharacters)}...` : text;
  return cut.toWellFormed();
}
