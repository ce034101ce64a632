import * as operations from '../../../specs/operations/preview.ts';
import { previewMapping, type PreviewOptions } from '../../engine/preview/preview-mapping.ts';
import type { FairQueue } from '../../work/fair-queue.ts';
import { bind, type Route } from '../bind.ts';

interface PreviewRouteOptions extends PreviewOptions {
  /** Previews and compilations run one after the other: each yields, and many at once would fill every turn of the event loop. */
  expressions: Pick<FairQueue, 'run'>;
}

/** Previews of adapters, which store nothing. */
export function previewRoutes({ expressions, ...options }: PreviewRouteOptions): Route[] {
  return [
    bind(operations.previewAdapter).to(async ({ principal, body, signal }) => {
      const { id } = principal.tenant;
      const preview = (until: AbortSignal) => previewMapping(options, id, body, until);
      const outcome = await expressions.run(id, preview, { signal });
      return { status: 200, body: outcome };
    }),
  ];
}
