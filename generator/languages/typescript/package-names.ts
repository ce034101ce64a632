import type { SdkModel } from '../../model/sdk-model.ts';

/** Returns the name in the npm registry. */
export function packageName(model: SdkModel): string {
  return `@${model.client.handle}/${model.client.slug}`;
}

/** Returns the header by which the package identifies itself to the service. */
export function clientHeader(model: SdkModel): string {
  const { handle, slug } = model.client;
  return `${handle}-${slug}/${model.semver} (typescript; ${model.generator})`;
}
