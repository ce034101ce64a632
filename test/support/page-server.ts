import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

/** Serves a folder to pages. */
export interface PageServer {
  /** `http://127.0.0.1:<port>` */
  origin: string;
  stop(): Promise<void>;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.ts': 'text/javascript; charset=utf-8',
};

/** Starts on 127.0.0.1. `/` is a page with `body`, and other paths are files of the folder, with the types of TypeScript stripped. */
export async function servePages(folder: string, body = ''): Promise<PageServer> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    read(folder, pathname, body).then(
      ({ type, content }) => response.writeHead(200, { 'content-type': type }).end(content),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

async function read(
  folder: string,
  pathname: string,
  body: string,
): Promise<{ type: string; content: string }> {
  const type = types[path.extname(pathname)] ?? types['.html']!;
  if (pathname === '/') {
    const head = '<meta charset="utf-8" /><link rel="icon" href="data:," />';
    return {
      type,
      content: `<!doctype html><html lang="en"><head>${head}</head><body>${body}</body></html>`,
    };
  }
  const text = await readFile(path.join(folder, pathname), 'utf8');
  return { type, content: pathname.endsWith('.ts') ? stripTypeScriptTypes(text) : text };
}
