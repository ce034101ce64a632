import type { SdkClient } from '../model/sdk-model.ts';
import { foldLines } from '../text/fold-lines.ts';
import { showInvisible } from '../text/show-invisible.ts';

/** Returns the view of `LICENSE`: the license that the tenant chose, and no other. */
export function licenseView({ name, handle, metadata }: SdkClient): object {
  return { name: showInvisible(foldLines(name)), handle, license: metadata?.license ?? '' };
}
