import { healthz, metrics as metricsOperation, readyz } from '../../../specs/operations/system.ts';
import type { Metrics } from '../../metrics.ts';
import { bind, type Route } from '../bind.ts';

interface SystemRouteOptions {
  metrics: Metrics;
  /** The latest results by check: `ok`, or the reason why a dependency is unavailable. */
  readiness: () => Readonly<Record<string, string>>;
}

export function systemRoutes({ metrics, readiness }: SystemRouteOptions): Route[] {
  return [
    bind(healthz).to(() => ({ status: 200, body: { status: 'ok' } })),
    bind(readyz).to(() => {
      const checks = { ...readiness() };
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
