import type { SdkModel } from '../../model/sdk-model.ts';
import { pascalCase } from '../../names/words.ts';

/** Name in the npm registry. */
export function packageName({ client }: SdkModel): string {
  return `@${client.handle}/${client.slug}-browser`;
}

/** How the package names itself to the service. */
export function clientHeader({ client, semver, generator }: SdkModel): string {
  return `${client.handle}-${client.slug}/${semver} (typescript-browser; ${generator})`;
}

/** The global that the classic script sets: of handle and slug, so that it is hardly one that pages have (`Text`, `Map`). */
export function globalName({ client }: SdkModel): string {
  const name = pascalCase(`${client.handle}-${client.slug}`);
  return /^[A-Za-z]/.test(name) ? name : `Svc${name}`;
}
