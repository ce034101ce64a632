import { type Html, html } from './html.ts';
import type { PageAssets } from './page-assets.ts';

/** What all pages need. */
export interface PageSite {
  assets: PageAssets;
  /** Path of the service's public address: empty, or `/prefix` behind a proxy that adds a prefix. */
  prefix: string;
}

interface PageParts {
  title: string;
  /** Content of the bar, next to the name of the service. */
  bar: Html;
  main: Html;
  scripts?: readonly Html[];
}

/** Renders a page. It has no inline scripts or styles: all come from `assets`. */
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
