import { z } from 'zod';
import { managementError } from './error-shapes.ts';
import { defineOperation } from './operation.ts';
import { storableText } from './storable-text.ts';

const page = 'text/html; charset=utf-8';
const notModified = { description: 'The page matches `If-None-Match` and has not changed.' };

/** Pages that list packages and call their nodes. */
export const openHome = defineOperation({
  id: 'openHome',
  method: 'get',
  path: '/',
  family: 'management',
  summary: 'Open the home page',
  description: 'Redirects to the list of public packages.',
  caller: 'public',
  responses: {
    302: {
      description: 'Redirects to `/docs`.',
      headers: { Location: z.string().describe('Path of the list of packages.') },
    },
  },
});

export const showPackages = defineOperation({
  id: 'showPackages',
  method: 'get',
  path: '/docs',
  family: 'management',
  summary: 'Show the list of packages',
  description: 'Returns an HTML page that lists the public packages.',
  caller: 'public',
  query: z.object({
    q: storableText.max(100).optional().describe('Text to find in names and descriptions, ignoring case.'),
  }),
  responses: { 200: { description: 'The page.', contentType: page }, 304: notModified },
});

export const showApi = defineOperation({
  id: 'showApi',
  method: 'get',
  path: '/docs/api',
  family: 'management',
  summary: 'Show the try-it page of the API',
  description: 'Returns an HTML page that shows the API document of the service and calls its operations.',
  caller: 'public',
  responses: { 200: { description: 'The page.', contentType: page }, 304: notModified },
});

export const showPackage = defineOperation({
  id: 'showPackage',
  method: 'get',
  path: '/api/packages/{owner}/{package}@{version}/docs',
  family: 'management',
  summary: 'Show the try-it page of a package',
  description: 'Returns an HTML page that shows the nodes of a package version and calls them.',
  caller: 'public',
  params: z.object({
    owner: storableText.describe('Handle of the publisher.'),
    package: storableText.describe('Name of the package, without the handle.'),
    version: storableText.describe('A version, or `latest` for the highest release.'),
  }),
  responses: {
    200: { description: 'The page.', contentType: page },
    304: notModified,
    404: {
      description: 'The package is unknown or private. The page prompts for a key of its owner.',
      contentType: page,
    },
  },
});

export const showGraph = defineOperation({
  id: 'showGraph',
  method: 'get',
  path: '/api/graphs/{artifact_id}/docs',
  family: 'management',
  summary: 'Show the try-it page of a flow',
  description:
    'Returns an HTML page that prompts for a key, reads the document of the flow with it, and runs the flow.',
  caller: 'public',
  params: z.object({ artifact_id: storableText.describe('The `graph_id` of a compiled flow.') }),
  responses: {
    200: {
      description: 'The page. It is the same for every flow.',
      contentType: page,
    },
    304: notModified,
  },
});

export const getPageAsset = defineOperation({
  id: 'getPageAsset',
  method: 'get',
  path: '/docs/assets/{file}',
  family: 'management',
  summary: 'Get a page asset',
  description: 'Returns a script or style sheet of the pages.',
  caller: 'public',
  params: z.object({ file: storableText.describe('`<name>.<hash>.<extension>`') }),
  responses: {
    200: { description: 'The file. Its content never changes under this name.', contentType: '*/*' },
    304: { description: 'The file matches `If-None-Match`.' },
    404: {
      description: 'The file does not exist. A page of an earlier release may link to it.',
      shape: managementError,
    },
  },
});
