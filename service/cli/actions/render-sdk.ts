import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { generateSdk, type SdkArchive } from '../../../generator/generate-sdk.ts';
import type { SdkModel } from '../../../generator/model/sdk-model.ts';
import { thrownMessage } from '../../errors/thrown-message.ts';
import { loadLanguage } from '../../languages/load-language.ts';
import { sdkModelOfVersion } from '../../builds/sdk-model-of-version.ts';
import { loadVersionSource } from '../../clients/version-source.ts';
import { readClients } from '../../store/clients.ts';
import { wholeList } from '../../store/records.ts';
import { makeFolder } from '../../objects/make-folder.ts';
import { clientNamed } from '../client-named.ts';
import { isEmptyFolder } from '../is-empty-folder.ts';
import { requireKnownLanguages } from '../known-language.ts';
import { withCurrentDatabase } from '../with-database.ts';
import { CliError, note, printResult, type Terminal, UsageError } from '../output.ts';
import { unpackArchive } from '../unpack-archive.ts';
import { requireTenant } from '../require-tenant.ts';
import { versionNumber } from '../version-number.ts';

/** The options of `svc sdk render`, as typed: a client with its tenant, or a model. */
export interface RenderFlags {
  /** Id, name or slug. */
  client?: string;
  /** Handle of the tenant that owns the client. */
  tenant?: string;
  /** Version of the client, from 1. Default: the latest. */
  version?: string;
  /** JSON file with an `SdkModel`. */
  model?: string;
  language: string;
  /** Folder to write to. Created if it does not exist. */
  out: string;
  /** Writes the archive itself instead of its files, to a folder that may have others. */
  zip?: boolean;
  /** Writes to a folder that is not empty. Files that the SDK does not have remain. */
  force?: boolean;
  json?: boolean;
}

/** Writes the SDK of a client version or of a model file into a folder. */
export async function renderSdk(terminal: Terminal, flags: RenderFlags): Promise<void> {
  await requireKnownLanguages([flags.language]);
  if (!flags.zip && !flags.force) await requireEmptyFolder(flags.out);
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
    throw new UsageError('set either --client <client> with --tenant <handle>, or --model <file>');
  }
  if (flags.model !== undefined) return readModelFile(flags.model);
  const { client: given = '', tenant: handle } = flags;
  if (handle === undefined) throw new UsageError('--client requires --tenant <handle>');
  return withCurrentDatabase(terminal, async (db, config) => {
    const tenant = await requireTenant(db.knex, handle);
    const clients = await wholeList(readClients(db.knex, tenant.id));
    const client = clientNamed(clients, given);
    if (!client) {
      const shown = clients.map(({ slug }) => slug).join(', ');
      throw new CliError(`tenant ${handle} has no client "${given}": its clients are ${shown || 'none'}`);
    }
    const { id } = client;
    const version = versionOf(flags.version, client.latestVersion);
    const key = { tenantId: tenant.id, clientId: id, version };
    const source = await loadVersionSource(db.knex, key, config.goModulePrefix);
    if (!source)
      throw new CliError(
        `client ${id} has no version ${version}: its latest version is ${client.latestVersion}`,
      );
    return sdkModelOfVersion(source);
  });
}

function versionOf(requested: string | undefined, latest: number): number {
  if (requested !== undefined) return versionNumber(requested);
  if (latest === 0) throw new CliError('the client has no version yet: build it first');
  return latest;
}

async function readModelFile(file: string): Promise<SdkModel> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new CliError(`cannot read the model: ${thrownMessage(error)}`);
  });
  try {
    const model: unknown = JSON.parse(text);
    if (isModel(model)) return model;
  } catch (error) {
    throw new CliError(`${file} is not valid JSON: ${thrownMessage(error)}`);
  }
  throw new CliError(`${file} is not an SdkModel: generator/model/sdk-model.ts defines its fields`);
}

/** Distinguishes a model from other documents, without validating it. */
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

/** Files of an earlier version would remain next to the new ones. */
async function requireEmptyFolder(folder: string): Promise<void> {
  if (await isEmptyFolder(folder)) return;
  throw new CliError(`${folder} is not empty: choose another folder, or write to it with --force`);
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
