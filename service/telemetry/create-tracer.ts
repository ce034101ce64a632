import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Tracer } from './tracer.ts';

/** Creates the span exporter, or returns `undefined` without a configured collector. The exporter's libraries are loaded on demand. */
export async function createTracer(
  config: Pick<Config, 'tracesUrl'>,
  logger: Pick<Logger, 'warn'>,
): Promise<Tracer | undefined> {
  if (config.tracesUrl === null) return undefined;
  const { createOtlpTracer } = await import('./otlp-tracer.ts');
  return createOtlpTracer(config.tracesUrl, logger);
}
