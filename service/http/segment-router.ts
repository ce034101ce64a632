import Router, { type RouterContext, type RouterMiddleware } from '@koa/router';
import type { Middleware } from 'koa';
import type { Method } from '../../specs/operations/operation.ts';

/**
 * The routes of the service. A router tries all that it has, so there is one for each first segment of a path, and paths without
 * parameters are looked up; they come before those with some, as in OpenAPI.
 */
export interface SegmentRouter {
  /** What a path and a method are served by. */
  register(operation: { path: string; method: Method | 'options' }, serve: RouterMiddleware): void;
  /** Serves requests, and passes on those that no route is for. */
  routes: Middleware;
  /** Methods of the routes that the path fits, in alphabetical order. */
  methodsOf(path: string): string[];
}

export function createSegmentRouter(): SegmentRouter {
  const routers = new Map<string, { router: Router; routes: Middleware }>();
  const fixed = new Map<string, RouterMiddleware>();
  return {
    register: (operation, serve) => {
      if (!operation.path.includes('{')) {
        fixed.set(`${operation.method.toUpperCase()} ${operation.path}`, serve);
      }
      const segment = firstSegment(operation.path);
      let known = routers.get(segment);
      if (!known) {
        const router = new Router();
        routers.set(segment, (known = { router, routes: router.routes() as Middleware }));
      }
      // SPEC.md writes parameters as OpenAPI does.
      const path = operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
      known.router.register(path, [operation.method], serve);
    },
    routes: async (ctx, next) => {
      const serve = fixed.get(`${ctx.method} ${ctx.path}`);
      if (serve) {
        await serve(Object.assign(ctx, { params: {} }) as RouterContext, next);
        return;
      }
      const known = routers.get(firstSegment(ctx.path));
      ctx.newRouterPath = withPlainAts(ctx.path);
      await (known ? known.routes(ctx, next) : next());
    },
    methodsOf: (path) => {
      const layers = routers.get(firstSegment(path))?.router.match(withPlainAts(path), 'OPTIONS').path ?? [];
      return [...new Set(layers.flatMap(({ methods }) => methods))].sort();
    },
  };
}

/** Of `/invocations/v1/...`: `invocations`. Routers tell no case apart. */
function firstSegment(path: string): string {
  const end = path.indexOf('/', 1);
  return path.slice(1, end < 0 ? undefined : end).toLowerCase();
}

/** Routes have an `@` between name and version, which many clients escape though no path needs it. */
function withPlainAts(path: string): string {
  return path.includes('%40') ? path.replaceAll('%40', '@') : path;
}
