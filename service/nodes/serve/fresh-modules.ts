import { registerHooks } from 'node:module';

/** Modules that can be imported again after their files have changed. */
interface FreshModules {
  /** Imports a module, and the modules that it imports, from the current files. Modules in `node_modules` are read once. */
  import: (url: string) => Promise<unknown>;
  /** Stops reimporting modules. */
  close(): void;
}

/**
 * Marks the URLs of one import and of the modules that it imports, because the runtime caches modules by URL.
 */
const mark = 'svc-import';

/** Creates the importer, for development only: modules of earlier imports stay in memory. */
export function createFreshModules(): FreshModules {
  let imports = 0;
  const hooks = registerHooks({
    resolve(specifier, context, nextResolve) {
      const resolved = nextResolve(specifier, context);
      const parent = context.parentURL === undefined ? undefined : URL.parse(context.parentURL);
      const number = parent?.searchParams.get(mark);
      if (number == null || !isSource(resolved.url)) return resolved;
      const url = new URL(resolved.url);
      url.searchParams.set(mark, number);
      return { ...resolved, url: url.href };
    },
  });
  return {
    import: (address) => {
      const url = new URL(address);
      url.searchParams.set(mark, String((imports += 1)));
      return import(url.href);
    },
    close: () => hooks.deregister(),
  };
}

function isSource(url: string): boolean {
  return url.startsWith('file:') && !url.includes('/node_modules/') && !url.endsWith('.cjs');
}
