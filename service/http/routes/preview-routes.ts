import * as operations from '../../../specs/operations/preview.ts';
import { previewMapping, type PreviewOptions } from '../../engine/preview/preview-mapping.ts';
import { bind, type Route } from '../bind.ts';

/** Previews of field mappings (SPEC.md, POST /adapters/preview). */
export function previewRoutes(options: PreviewOptions): Route[] {
  return [
    bind(operations.previewAdapter, async ({ principal, body }) => ({
      status: 200,
      body: await previewMapping(options, principal.tenant.id, body),
    })),
  ];
}
