import { loadPackage } from '../../service/nodes/serve/load-package.ts';
import { servePackage } from '../../service/nodes/serve/serve-package.ts';

/** The container of a fixture package, in the process of the test. */
export interface FixtureContainer {
  /** `grpc://127.0.0.1:port` */
  endpoint: string;
  stop(): Promise<void>;
}

export type FixturePackage =
  'acme-text' | 'acme-orders' | 'acme-generic' | 'acme-echo' | 'acme-planner' | 'acme-streams';

/** Returns the folder of a fixture package, for `readPackageFolder`. */
export function fixturePackageFolder(name: FixturePackage): string {
  return new URL(`../../fixtures/packages/${name}`, import.meta.url).pathname;
}

/**
 * Serves a fixture package like `svc node serve`, by default on a free port. Errors of its handlers are not printed.
 *
 * @param packageName the name under which the package was published, if not its own
 */
export async function startFixtureContainer(
  name: FixturePackage,
  port = 0,
  packageName?: string,
): Promise<FixtureContainer> {
  const own = await loadPackage(fixturePackageFolder(name));
  const hosted = { ...own, name: packageName ?? own.name };
  const server = await servePackage(hosted, { port, report: () => undefined });
  return { endpoint: server.endpoint, stop: () => server.stop(0) };
}
