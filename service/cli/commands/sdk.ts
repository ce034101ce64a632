import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Command } from 'commander';
import { generateSdk, type SdkArchive } from '../../../generator/generate-sdk.ts';
import type { SdkModel } from '../../../generator/model/sdk-model.ts';
import { listLanguages, loadLanguage } from '../../builds/load-language.ts';
import { sdkModelOfVersion } from '../../builds/sdk-model-of-version.ts';
import { loadVersionSource } from '../../builds/version-source.ts';
import { findClient } from '../../store/clients.ts';
import { makeFolder } from '../../store/make-folder.ts';
import { withCurrentDatabase } from '../open-store.ts';
import { CliError, note, printResult, type Terminal, UsageError } from '../output.ts';
import { unpackArchive } from '../unpack-archive.ts';
import { requireTenant } from './tenant.ts';

interface RenderFlags {
  client?: string;
  tenant?: string;
  version?: string;
  model?: string;
  language: string;
  out: string;
  zip?: boolean;
  force?: boolean;
  json?: boolean;
}

/** `svc sdk`: archives without the service, byte for byte those that it serves. */
export function sdkCommand(terminal: Terminal): Command {
  return new Command('sdk').description('Generate SDKs').addCommand(
    new Command('render')
      .description('Render the SDK of a client version, or of a model file, into a folder')
      .option('--client <id>', 'client to render; needs --tenant')
      .option('--tenant <handle>', 'tenant that the client belongs to')
      .option('--version <n>', 'client version (default: the latest)')
      .option('--model <file>', 'JSON file with an SdkModel, instead of a client')
      .requiredOption('--language <language>', 'language of the SDK')
      .requiredOption('--out <dir>', 'folder that the SDK is written to')
      .option('--zip', 'write the archive itself instead of unpacking it')
      .option('--force', 'write into a folder that is not empty')
      .option('--json', 'print file, size and SHA-256 as JSON')
      .action((flags: RenderFlags) => render(terminal, flags)),
  );
}

async function render(terminal: Terminal, flags: RenderFlags): Promise<void> {
  const known = await listLanguages();
  if (!known.includes(flags.language)) {
    throw new UsageError(`no generator for language "${flags.language}": choose one of ${known.join(', ')}`);
  }
  if (!flags.zip && !flags.force) await refuseFilledFolder(flags.out);
  const model = await readModel(terminal, flags);
  const { language, templates } = await loadLanguage(flags.language);
  const archive = await generateSdk(model, language, templates);
  const { written, files } = await writeOut(archive, flags);
  note(terminal, `rendered ${model.client.slug} ${model.semver} for ${flags.language}: ${files} files`);
  const result = { out: written, files, size: archive.bytes.length, sha256: archive.sha256 };
  printResult(terminal, flags, result, written);
}

async function readModel(terminal: Terminal, flags: RenderFlags): Promise<SdkModel> {
  if ((flags.model === undefined) === (flags.client === undefined)) {
    throw new UsageError('give either --client <id> with --tenant <handle>, or --model <file>');
  }
  if (flags.model !== undefined) return readModelFile(flags.model);
  const { client: id = '', tenant: handle } = flags;
  if (handle === undefined) throw new UsageError('--client needs --tenant <handle>');
  return withCurrentDatabase(terminal, async (db, config) => {
    const tenant = await requireTenant(db.knex, handle);
    const client = await findClient(db.knex, tenant.id, id);
    if (!client) throw new CliError(`tenant ${handle} has no client ${id}`);
    const version = versionOf(flags.version, client.latestVersion);
    const key = { tenantId: tenant.id, clientId: id, version };
    const source = await loadVersionSource(db.knex, key, config.goModulePrefix);
    if (!source)
      throw new CliError(`client ${id} has no version ${version}: its latest is ${client.latestVersion}`);
    return sdkModelOfVersion(source);
  });
}

function versionOf(asked: string | undefined, latest: number): number {
  if (asked === undefined) {
    if (latest === 0) throw new CliError('the client has no version yet: build it first');
    return latest;
  }
  if (!/^[1-9]\d{0,8}$/.test(asked)) throw new UsageError('--version must be a number from 1');
  return Number(asked);
}

async function readModelFile(file: string): Promise<SdkModel> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new CliError(`cannot read the model: ${error instanceof Error ? error.message : String(error)}`);
  });
  try {
    const model: unknown = JSON.parse(text);
    if (isModel(model)) return model;
  } catch (error) {
    throw new CliError(`${file} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  throw new CliError(`${file} is not an SdkModel: see generator/model/sdk-model.ts for its form`);
}

/** Enough to tell a model from another document; the generator relies on the rest. */
function isModel(value: unknown): value is SdkModel {
  const needed = [
    'client',
    'version',
    'semver',
    'generator',
    'goModulePrefix',
    'members',
    'types',
    'changelog',
  ];
  return typeof value === 'object' && value !== null && needed.every((name) => name in value);
}

/** Files of an earlier rendering would stay among the new ones. */
async function refuseFilledFolder(folder: string): Promise<void> {
  const entries = await readdir(folder).catch(() => []);
  if (entries.length > 0) {
    throw new CliError(`${folder} is not empty: choose another folder, or write into it with --force`);
  }
}

async function writeOut(
  archive: SdkArchive,
  { out, zip }: RenderFlags,
): Promise<{ written: string; files: number }> {
  if (!zip) return { written: out, files: (await unpackArchive(archive.bytes, out)).length };
  await makeFolder(out);
  const file = path.join(out, archive.fileName);
  await writeFile(file, archive.bytes);
  return { written: file, files: 1 };
}
