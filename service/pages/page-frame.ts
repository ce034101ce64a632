import { type Html, html } from './html.ts';
import type { PageAssets } from './page-assets.ts';

/** What all pages stand on. */
export interface PageSite {
  assets: PageAssets;
  /** Path of the service's public address: empty, or `/prefix` behind a proxy that adds one. */
  prefix: string;
}

export interface PageParts {
  title: string;
  /** What stands in the bar beside the name of the service. */
  bar: Html;
  main: Html;
  scripts?: readonly Html[];
}

/** A whole page. It has no script or style of its own: everything comes from `assets`. */
export function pageFrame(
  { assets, prefix }: PageSite,
  { title, bar, main, scripts = [] }: PageParts,
): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${prefix}${assets.path('pages.css')}" />
        ${scripts}
      </head>
      <body>
        <header class="bar"><a class="brand" href="${prefix}/docs">svc</a>${bar}</header>
        ${main}
      </body>
    </html>`.markup;
}
