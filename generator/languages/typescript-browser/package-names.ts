import type { SdkModel } from '../../model/sdk-model.ts';
import { pascalCase } from '../../names/words.ts';

/** Returns the name in the npm registry. */
export function packageName({ client }: SdkModel): string {
  return `@${client.handle}/${client.slug}-browser`;
}

/** Returns the header by which the package identifies itself to the service. */
export function clientHeader({ client, semver, generator }: SdkModel): string {
  return `${client.handle}-${client.slug}/${semver} (typescript-browser; ${generator})`;
}

/**
 * Returns the global that the classic script sets: made of handle and slug, so that it is unlikely to collide with a
 * page's own global (`Text`, `Map`).
 */
export function globalName({ client }: SdkModel): string {
  const name = pascalCase(`${client.handle}-${client.slug}`);
  return /^[A-Za-z]/.test(name) ? name : `Svc${name}`;
}
