import { healthz, metrics as metricsOperation, readyz } from '../../../specs/operations/system.ts';
import type { Metrics } from '../../metrics.ts';
import { bind, type Route } from '../bind.ts';

interface SystemRouteOptions {
  metrics: Metrics;
  /** Checks by name. A check rejects with the reason if its dependency is unavailable. */
  readiness: Readonly<Record<string, () => Promise<void>>>;
}

export function systemRoutes({ metrics, readiness }: SystemRouteOptions): Route[] {
  return [
    bind(healthz).to(() => ({ status: 200, body: { status: 'ok' } })),
    bind(readyz).to(async () => {
      const checks = Object.fromEntries(
        await Promise.all(
          Object.entries(readiness).map(async ([name, check]) => [name, await outcome(check)] as const),
        ),
      );
      const ready = Object.values(checks).every((text) => text === 'ok');
      return { status: ready ? 200 : 503, body: { status: ready ? 'ready' : 'not ready', checks } };
    }),
    bind(metricsOperation).to(async () => ({
      status: 200,
      kind: 'bytes',
      body: await metrics.render(),
      contentType: 'text/plain; version=0.0.4; charset=utf-8',
    })),
  ];
}

async function outcome(check: () => Promise<void>): Promise<string> {
  try {
    await check();
    return 'ok';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
