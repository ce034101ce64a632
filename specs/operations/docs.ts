import { z } from 'zod';
import { managementError } from './error-shapes.ts';
import { defineOperation } from './operation.ts';
import { storableText } from './storable-text.ts';

const page = 'text/html; charset=utf-8';
const notModified = { description: 'The page that `If-None-Match` names is the current one.' };

/** Pages for people (SPEC.md, Generated specs): what there is to call, and trying it. */
export const openHome = defineOperation({
  id: 'openHome',
  method: 'get',
  path: '/',
  family: 'management',
  summary: 'To the list of packages',
  caller: 'public',
  responses: {
    302: { description: 'To `/docs`.', headers: { Location: z.string().describe('Path of the list.') } },
  },
});

export const showPackages = defineOperation({
  id: 'showPackages',
  method: 'get',
  path: '/docs',
  family: 'management',
  summary: 'Public packages, as a page',
  caller: 'public',
  query: z.object({
    q: storableText.max(100).optional().describe('Text in the name or the description, in any case.'),
  }),
  responses: { 200: { description: 'The page.', contentType: page }, 304: notModified },
});

export const showApi = defineOperation({
  id: 'showApi',
  method: 'get',
  path: '/docs/api',
  family: 'management',
  summary: 'Try-it page of the service itself',
  caller: 'public',
  responses: { 200: { description: 'The page.', contentType: page }, 304: notModified },
});

export const showPackage = defineOperation({
  id: 'showPackage',
  method: 'get',
  path: '/api/packages/{owner}/{package}@{version}/docs',
  family: 'management',
  summary: 'Try-it page of a package',
  caller: 'public',
  params: z.object({
    owner: storableText.describe("The publisher's handle."),
    package: storableText.describe('Name of the package, without the handle.'),
    version: storableText.describe('A version, or `latest`: the highest release.'),
  }),
  responses: {
    200: { description: 'The page.', contentType: page },
    304: notModified,
    404: {
      description: "Unknown or private: a page that asks for a key of the package's owner.",
      contentType: page,
    },
  },
});

export const showGraph = defineOperation({
  id: 'showGraph',
  method: 'get',
  path: '/api/graphs/{artifact_id}/docs',
  family: 'management',
  summary: 'Try-it page of a flow',
  caller: 'public',
  params: z.object({ artifact_id: storableText.describe('The `graph_id` of a compiled flow.') }),
  responses: {
    200: {
      description:
        'A page that asks for a key and reads the document of the flow with it; the same for every flow.',
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
  summary: 'A file that pages load',
  caller: 'public',
  params: z.object({ file: storableText.describe('`<name>.<hash>.<extension>`') }),
  responses: {
    200: { description: 'The file, for good under this name.', contentType: '*/*' },
    304: { description: 'The caller has it.' },
    404: { description: 'No such file; a page of an earlier release may name one.', shape: managementError },
  },
});
