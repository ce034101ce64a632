import { healthz, readyz } from '../../../specs/operations/system.ts';
import { notReady } from '../../errors/system-errors.ts';
import { bind, type Route } from '../bind.ts';

interface SystemRouteOptions {
  /** The latest results by check: `ok`, or the reason why a dependency is unavailable. */
  readiness: () => Readonly<Record<string, string>>;
}

/** Probes, without a key. `/readyz` responds with 503 unless every check is `ok`. */
export function systemRoutes({ readiness }: SystemRouteOptions): Route[] {
  return [
    bind(healthz).to(() => ({ status: 200, body: { status: 'ok' } })),
    bind(readyz).to(() => {
      const checks = { ...readiness() };
      const ready = Object.values(checks).every((text) => text === 'ok');
      if (!ready) throw notReady(checks);
      return { status: 200, body: { status: 'ready', checks } };
    }),
  ];
}
