import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Tracer } from './tracer.ts';

/**
 * The exporter of spans, or `undefined` when no collector is configured: then nothing of it is loaded, and nobody makes spans.
 */
export async function createTracer(
  config: Pick<Config, 'tracesUrl'>,
  logger: Pick<Logger, 'warn'>,
): Promise<Tracer | undefined> {
  if (config.tracesUrl === null) return undefined;
  const { createOtlpTracer } = await import('./otlp-tracer.ts');
  return createOtlpTracer(config.tracesUrl, logger);
}
