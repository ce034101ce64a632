import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { buildModel } from '../../generator/model/build-model.ts';
import type { MemberSource, VersionTypes } from '../../generator/model/build-surface.ts';
import type { Appearance, Release, SdkClient, SdkModel } from '../../generator/model/sdk-model.ts';
import { compileProtos } from '../../service/messages/compile/compile-protos.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');

/** One folder per case: `case.yaml`, its protos, and the expected output of each language. */
export const sdkFixturesDir = path.join(projectRoot, 'fixtures/sdk');

/** `case.yaml`: a client, the packages whose nodes are its members, and its flows. */
interface FixtureCase {
  client: SdkClient;
  /** Form of the expected output, by default `files`. `hashes` is for output that is too large to review. */
  expected?: 'files' | 'hashes';
  /** 1 and 1.0.0 by default. A case with another version lists its changelog. */
  version?: number;
  semver?: string;
  packages: FixturePackage[];
  flows?: FixtureFlow[];
  changelog?: Release[];
  firstSeen?: Appearance[];
}

interface FixturePackage {
  /** `<handle>/<name>` */
  name: string;
  version: string;
  /** Folder of its proto sources, beneath the case. */
  protos: string;
  members: FixtureMember[];
}

interface FixtureMember {
  alias: string;
  node: string;
  /** `unary` when absent. */
  mode?: 'unary' | 'pipeline';
  comment: string;
  /** Full message names. */
  input: string;
  output: string;
}

interface FixtureFlow {
  alias: string;
  /** `unary` when absent. */
  mode?: 'unary' | 'pipeline';
  artifact: string;
  comment: string;
  /** The messages with which the flow starts and ends, by the packages of those nodes. */
  input: { package: string; message: string };
  output: { package: string; message: string };
}

/** Returns the names of the cases, sorted. */
export function listSdkFixtures(): string[] {
  return readdirSync(sdkFixturesDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

const models = new Map<string, Promise<SdkModel>>();

/** Returns the model of a case. Its protos are compiled once per process. */
export function loadSdkFixture(name: string): Promise<SdkModel> {
  const model = models.get(name) ?? readModel(name);
  models.set(name, model);
  return model;
}

/** Reports whether the expected output of a case is kept as hashes instead of files. */
export function keepsHashes(name: string): boolean {
  return readCase(name).expected === 'hashes';
}

function readCase(name: string): FixtureCase {
  return parse(readFileSync(path.join(sdkFixturesDir, name, 'case.yaml'), 'utf8')) as FixtureCase;
}

async function readModel(name: string): Promise<SdkModel> {
  const folder = path.join(sdkFixturesDir, name);
  const fixture = readCase(name);
  const { client, version = 1, semver = '1.0.0', firstSeen = [] } = fixture;
  const members = await fixtureMembers(folder, fixture);
  return buildModel({
    client,
    version,
    semver,
    generator: 'svc/0.0.0',
    goModulePrefix: 'go.svc.internal',
    members,
    changelog: fixture.changelog ?? [
      {
        version,
        semver,
        added: members.map(({ alias }) => `Call ${alias}.`).sort(),
        changed: [],
        removed: [],
      },
    ],
    firstSeen,
  });
}

async function fixtureMembers(
  folder: string,
  { packages, flows = [] }: FixtureCase,
): Promise<MemberSource[]> {
  const members: MemberSource[] = [];
  const types = new Map<string, VersionTypes>();
  for (const { name, version, protos, members: nodes } of packages) {
    const descriptorSet = await compileProtos(readProtos(path.join(folder, protos)));
    types.set(name, { package: name, version, descriptorSet });
    for (const { alias, node, mode = 'unary', comment, input, output } of nodes) {
      const ulid = `01K${String(members.length + 1).padStart(23, '0')}`;
      const pin = { package: name, version, node, ulid };
      members.push({ type: 'node', alias, mode, pin, comment, input, output, descriptorSet });
    }
  }
  return [...members, ...flows.map((flow) => flowSource(flow, types))];
}

function flowSource(flow: FixtureFlow, types: ReadonlyMap<string, VersionTypes>): MemberSource {
  const { alias, mode = 'unary', artifact, comment, input, output } = flow;
  const typesOf = (name: string): VersionTypes => {
    const found = types.get(name);
    if (!found) throw new Error(`flow ${alias} names package ${name}, which the case does not have`);
    return found;
  };
  return {
    type: 'flow',
    alias,
    mode,
    pin: { artifact, graph: artifact },
    comment,
    input: input.message,
    output: output.message,
    inputTypes: typesOf(input.package),
    outputTypes: typesOf(output.package),
  };
}

function readProtos(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.proto'),
  );
  return Object.fromEntries(
    files.map((file) => [file.split(path.sep).join('/'), readFileSync(path.join(folder, file), 'utf8')]),
  );
}
