import { readdirSync } from 'node:fs';
import path from 'node:path';
import { runJava } from '../../support/java-tools.ts';
import type { ConformanceLanguage } from '../conformance-language.ts';
import { driverEnv, startDriverProcess } from '../driver-process.ts';

/** Code that is optimized for longer does not pay off, and stacks would else stand among the answers. */
const options = ['-XX:TieredStopAtLevel=1', '-XX:+DisplayVMOutputToStderr'];

/** One driver over the classes of the archive, whose argument says whether it blocks. */
export const conformanceLanguage: ConformanceLanguage = {
  id: 'java',
  toolchain: 'java',
  flavours: ['sync', 'async'],
  async build(archive) {
    const sources = path.join(archive, 'src/main/java');
    const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.java') && !file.endsWith('-info.java'))
      .map((file) => path.join(sources, file));
    const driver = path.join(import.meta.dirname, '../drivers/java/Driver.java');
    const { code, output } = await runJava('javac', ['-d', 'driver', ...files, driver], archive);
    if (code !== 0) throw new Error(`the Java driver does not compile:\n${output}`);
    return {
      start: ({ env, flavour = 'sync' }) =>
        startDriverProcess({
          program: 'java',
          args: [...options, '--class-path', 'driver', 'Driver', flavour],
          cwd: archive,
          env: driverEnv(env),
          stacksBy: 'SIGQUIT',
        }),
    };
  },
};
