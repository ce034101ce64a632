/**
 * A node container in its own process, which the soak kills. Its arguments are the title of its package and its port.
 */
import { servePackage } from '../../../service/nodes/serve/serve-package.ts';
import { compiledRegistry } from '../../support/compiled-protos.ts';
import { declarationsOf, packages, type PackageTitle, protos } from './packages.ts';

const [title, port] = process.argv.slice(2) as [PackageTitle, string];
const handlers: Record<string, { handler: unknown }> = packages[title];
const hosted = {
  name: `acme/soak-${title}`,
  version: '1.0.0',
  registry: await compiledRegistry(protos),
  nodes: new Map(
    declarationsOf(title).map((declared) => [
      declared.name,
      {
        declaration: {
          kind: 'standard',
          generic: [],
          description: '',
          required_secrets: [],
          ...declared,
        } as never,
        handler: handlers[declared.name]!.handler as never,
      },
    ]),
  ),
};
const { endpoint } = await servePackage(hosted, { port: Number(port), report: () => undefined });
process.stdout.write(`${endpoint}\n`);
