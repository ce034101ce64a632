import * as operations from '../../../specs/operations/preview.ts';
import { previewMapping, type PreviewOptions } from '../../engine/preview/preview-mapping.ts';
import { bind, type Route } from '../bind.ts';

export function previewRoutes(options: PreviewOptions): Route[] {
  return [
    bind(operations.previewAdapter).to(async ({ principal, body }) => ({
      status: 200,
      body: await previewMapping(options, principal.tenant.id, body),
    })),
  ];
}
