import { type DestinationStream, type LevelWithSilent, type Logger, pino } from 'pino';
import { errorFields } from './error-fields.ts';
import { withoutKeys } from './without-keys.ts';

interface LoggerOptions {
  level?: LevelWithSilent | undefined;
  /** Receives the lines. */
  destination: DestinationStream;
}

/** Makes a logger that writes JSON lines. Errors, under any key, appear with the fields of `errorFields` and no others. */
export function createLogger({ level = 'info', destination }: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: null,
      // The default serializer copies every field of an error.
      serializers: { err: (fields: unknown) => fields },
      formatters: { log: withPlainErrors },
      hooks: { streamWrite: withoutKeys },
    },
    destination,
  );
}

function withPlainErrors(fields: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(fields);
  if (!entries.some(([key, value]) => isLogged(key, value))) return fields;
  return Object.fromEntries(
    entries.map(([key, value]) => [key, isLogged(key, value) ? errorFields(value) : value]),
  );
}

/** Anything can be thrown, so the value of `err` may be something other than an error. */
function isLogged(key: string, value: unknown): boolean {
  return key === 'err' || value instanceof Error;
}
