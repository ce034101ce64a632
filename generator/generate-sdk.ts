import { hash } from 'node:crypto';
import { zipFiles } from './archive/zip-files.ts';
import type { Language } from './language.ts';
import type { SdkModel } from './model/sdk-model.ts';
import type { TemplateSet } from './render/template-set.ts';
import { sdkFiles } from './sdk-files.ts';

/** The archive that a tenant downloads. */
export interface SdkArchive {
  /** A zip file, in its own buffer. */
  bytes: Uint8Array<ArrayBuffer>;
  /** Hash of the bytes in lower-case hex, which is the download's `ETag`. */
  sha256: string;
  /** `<client-slug>-sdk-<ext>.zip` */
  fileName: string;
}

/**
 * Generates the archive of one client version in one language: model -> views -> files -> zip. The same model and
 * templates always produce the same bytes.
 */
export async function generateSdk(
  model: SdkModel,
  language: Language,
  templates: TemplateSet,
): Promise<SdkArchive> {
  const bytes = await zipFiles(await sdkFiles(model, language, templates));
  return {
    bytes,
    sha256: hash('sha256', bytes),
    fileName: `${model.client.slug}-sdk-${language.archiveSuffix}.zip`,
  };
}
