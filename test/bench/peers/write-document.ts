import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { describePackage, type PackageSource } from '../../../service/documents/describe-package.ts';
import { compileProtos } from '../../../service/messages/compile/compile-protos.ts';
import { packageDocument } from '../../../specs/openapi/package-document.ts';
import { sdkFixturesDir } from '../../support/sdk-fixtures.ts';
import { packageSourceOf } from '../spec-bench.ts';

/**
 * Writes the service's OpenAPI document of the large package with this number of nodes, without its code samples: peers
 * would read four times as much without using it.
 */
export async function writeDocument(nodes: number, file: string): Promise<void> {
  await writeDescribed(await packageSourceOf(nodes), file);
}

/** Packages of a case of `fixtures/sdk`. */
interface FixtureCase {
  packages: {
    name: string;
    version: string;
    protos: string;
    members: { node: string; comment: string; input: string; output: string }[];
  }[];
}

/** Writes the document of the first package of a case of `fixtures/sdk`. */
export async function writeFixtureDocument(name: string, file: string): Promise<void> {
  const folder = path.join(sdkFixturesDir, name);
  const [first] = (parse(readFileSync(path.join(folder, 'case.yaml'), 'utf8')) as FixtureCase).packages;
  if (first === undefined) throw new Error(`${name} has no package`);
  const [base] = (await packageSourceOf(1)).nodes;
  if (base === undefined) throw new Error('the large package has a node');
  const protos = path.join(folder, first.protos);
  const sources = readdirSync(protos, { recursive: true, encoding: 'utf8' }).filter((each) =>
    each.endsWith('.proto'),
  );
  const [handle = '', packageName = ''] = first.name.split('/');
  await writeDescribed(
    {
      owner: {
        ...{ tenantId: 'tenant', id: 'package', handle, name: packageName, visibility: 'public' },
        ...{ description: '', createdAt: 0 },
      },
      version: first.version,
      nodes: first.members.map(({ node, comment, input, output }, position) => ({
        ...base,
        ...{ id: `01K${String(position).padStart(23, '0')}`, position, name: node, description: comment },
        ...{ inputMessage: input, outputMessage: output },
      })),
      recipients: [],
      descriptorSet: await compileProtos(
        Object.fromEntries(sources.map((each) => [each, readFileSync(path.join(protos, each), 'utf8')])),
      ),
    },
    file,
  );
}

async function writeDescribed(source: PackageSource, file: string): Promise<void> {
  const settings = {
    baseUrl: 'https://svc.example.com',
    goModulePrefix: 'go.svc.internal',
    samplesOf: () => Promise.resolve(new Map()),
  };
  await writeFile(file, JSON.stringify(packageDocument(await describePackage(source, settings))));
}
